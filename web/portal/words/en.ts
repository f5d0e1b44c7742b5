/** What the portal loads first: the words of its menu and of what is above every page, and those of the kit. Pages bring their own. */
import { kitWords } from '../../kit/words/en.ts';

const portalWords = {
  menu: {
    search: 'Search',
    frontDesk: 'Front desk',
    care: 'Care',
    settings: 'Settings',
    security: 'Security',
    patients: 'Patients',
    laboratory: 'Lab orders',
    'lab-tests': 'Lab tests',
    'lab-panels': 'Lab panels',
    employees: 'Employees',
    departments: 'Departments',
    clinics: 'Clinics',
    rooms: 'Rooms',
    schedules: 'Working hours',
    vip: 'VIP',
    'vip-tiers': 'VIP tiers',
    appointments: 'Appointments',
    'waiting-list': 'Waiting list',
    queue: 'Queue',
    visitors: 'Visitors',
    'visitor-bans': 'Deny list',
    prescriptions: 'Prescriptions',
    stock: 'Stock',
    drugs: 'Drugs',
    interactions: 'Interactions',
    displays: 'Displays',
    roles: 'Roles',
    supportAccess: 'Support access',
    audit: 'Audit log',
  },
  acting: {
    label: 'You act as somebody else',
    actsAs: 'acts as',
    read: 'Only reading.',
    write: 'Reading and writing.',
    reason: 'Reason:',
    left: '{{time}} left',
    over: 'The impersonation has ended',
    overHow: 'You can close this page. To act as somebody again, begin in the console.',
    toLogin: 'Go to the login page',
  },
};
export type PortalWords = typeof portalWords;

export default { ...kitWords, ...portalWords };
