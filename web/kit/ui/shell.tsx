/** The frame of all pages: the menu, whose hospital it is, and who works here. */
import { AppShell, Burger, Button, Group, Menu, NavLink, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconLogout, IconSearch, IconUserCircle } from '@tabler/icons-react';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hasUnsaved, withoutUnsaved } from '../forms/unsaved.ts';
import { typeAhead } from '../lists/typed-ahead.ts';
import { type Operation, useMay } from '../roles/can.tsx';
import { logout } from '../session/session.ts';
import { usePerson } from '../session/use-session.ts';
import { start } from '../start.ts';
import { isElsewhere } from '../time/time.ts';
import { ask } from './ask.tsx';
import { COLOR_SCHEMES } from './color-scheme.ts';
import { LanguageMenu } from './language-menu.tsx';
import { MissingNote } from './missing-characters.tsx';

interface MenuItem {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ readonly size?: number; readonly stroke?: number }>;
  /** Shown to those who may use it. */
  readonly operation: Operation;
}

export interface MenuSection {
  /** What its items are about. Not needed if there is only one section. */
  readonly label?: string;
  readonly items: readonly MenuItem[];
}

interface Props {
  readonly sections: readonly MenuSection[];
  /** The page that searches everything, if there is one. */
  readonly searchPath?: string;
  /** What everybody must see, whatever page is open. */
  readonly notice?: ReactNode;
}

export function Shell({ sections, searchPath, notice }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const { hospital } = usePerson();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isOpen, { toggle, close }] = useDisclosure();
  useSearchKey(searchPath);
  const name = hospital?.name ?? start.name ?? t(start.entry === 'console' ? 'app.console' : 'app.platform');
  return (
    <AppShell
      header={{ height: 'calc(56px + var(--hms-bar, 0px))' }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
      transitionDuration={0}
    >
      <a className="hms-skip" href="#main">
        {t('app.skip')}
      </a>
      <AppShell.Header pt="var(--hms-bar, 0px)">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('app.menu')}
              aria-expanded={isOpen}
            />
            {start.logoUrl ? <img className="hms-logo" src={start.logoUrl} alt="" /> : <Mark />}
            <Text fw={600} lh={1.2} lineClamp={2} dir="auto">
              {name}
            </Text>
          </Group>
          <Group gap={4} wrap="nowrap">
            {searchPath !== undefined && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-md"
                aria-label={t('menu.search')}
                aria-keyshortcuts="/"
                title={`${t('menu.search')} ( / )`}
                renderRoot={(props) => <Link to={searchPath} {...props} />}
              >
                <IconSearch size={20} aria-hidden />
              </Button>
            )}
            <LanguageMenu />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        aria-label={t('app.menu')}
        className={isOpen ? '' : 'hms-closed'}
        style={{ overflowY: 'auto' }}
      >
        {sections
          .map(({ label, items }) => ({ label, items: items.filter(({ operation }) => may(operation)) }))
          .filter(({ items }) => items.length > 0)
          .map(({ label, items }) => (
            <MenuGroup key={label ?? ''} label={label}>
              {items.map(({ to, label: name, icon: Icon }) => (
                <NavLink
                  key={to}
                  component={Link}
                  to={to}
                  onClick={close}
                  label={name}
                  leftSection={<Icon size={18} stroke={1.75} />}
                  active={path === to || path.startsWith(`${to}/`)}
                  aria-current={path === to ? 'page' : undefined}
                  style={{ borderRadius: 'var(--mantine-radius-md)' }}
                />
              ))}
            </MenuGroup>
          ))}
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {isElsewhere(hospital?.timezone) && (
          <Text size="sm" c="dimmed" mb="sm">
            {t('app.zone', { zone: hospital?.timezone })}
          </Text>
        )}
        {notice}
        <MissingNote path={path} />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** The items of a section, under its label if it has one. */
function MenuGroup({ label, children }: { readonly label: string | undefined; readonly children: ReactNode }) {
  const id = useId();
  if (label === undefined) return <div className="hms-menu-section">{children}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the controls of a form
    <div role="group" aria-labelledby={id} className="hms-menu-section">
      <Text id={id} size="xs" fw={600} c="dimmed" px="sm" pb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}

function Mark() {
  return <img src={new URL('./icon.svg', import.meta.url).href} width={28} height={28} alt="" />;
}

function PersonMenu() {
  const { t } = useTranslation();
  const { name, email, impersonation } = usePerson();
  const shown = name ?? email;
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const leave = async () => {
    // The item of the menu is gone, and the focus with it.
    if (hasUnsaved() && !(await ask(t('form.unsaved'), t('form.leave')))) return button.current?.focus();
    await withoutUnsaved(logout);
  };
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          ref={button}
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<IconUserCircle size={20} aria-hidden />}
          aria-label={t('app.person', { name: shown })}
        >
          <Text span size="sm" visibleFrom="md">
            {shown} <IconChevronDown size={14} aria-hidden />
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {!impersonation && (
          <Menu.Item
            leftSection={<IconUserCircle size={16} aria-hidden />}
            onClick={() => void navigate({ to: '/account' })}
          >
            {t('app.account')}
          </Menu.Item>
        )}
        <ColorSchemeItems />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {t(impersonation ? 'app.endActing' : 'app.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColorSchemeItems() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the controls of a form
    <div role="group" aria-labelledby={id}>
      <Menu.Label id={id}>{t('app.colors.title')}</Menu.Label>
      {COLOR_SCHEMES.map((scheme) => (
        <Menu.RadioItem
          key={scheme}
          value={scheme}
          checked={scheme === colorScheme}
          checkIcon={<span aria-hidden>✓</span>}
          onChange={() => setColorScheme(scheme)}
        >
          {t(`app.colors.${scheme}`)}
        </Menu.RadioItem>
      ))}
    </div>
  );
}

/** The key / leads to the search field of the page, or to the page that searches everything. */
function useSearchKey(searchPath: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if ((event.target as Element).closest('input, textarea, select, [contenteditable], [role=dialog]')) return;
      const field = document.querySelector<HTMLInputElement>('main input[type=search]');
      if (!field && searchPath === undefined) return;
      event.preventDefault();
      // What was searched before is typed over.
      if (field) {
        field.focus();
        field.select();
      } else {
        typeAhead();
        void navigate({ to: searchPath });
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, searchPath]);
}
