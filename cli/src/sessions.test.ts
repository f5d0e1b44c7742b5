import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  contextName,
  currentSession,
  endSessions,
  forgetContext,
  keepSession,
  listSessions,
  renameContext,
  type Session,
  sessionsFile,
  useContext,
} from './sessions.ts';
import { freshFolder } from './testing.ts';

async function currentToken(server: string | undefined, hospital: string | undefined, file: string): Promise<string> {
  return (await currentSession({ server, hospital }, file)).accessToken;
}

function freshFile(): string {
  return path.join(freshFolder(), 'hmsctl', 'sessions.json');
}

function session(own: Partial<Session> = {}): Session {
  const later = Date.now() + 3_600_000;
  const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1', expiresAt: later, refreshExpiresAt: later };
  return { server: 'http://127.0.0.1:9', hospital: 'st-mary', email: 'ann@st-mary.example', ...tokens, ...own };
}

/** An auth module with single-use refresh tokens. */
async function withAuth(work: (server: string, refreshes: () => number) => Promise<void>): Promise<void> {
  let count = 0;
  let valid = 'refresh-1';
  const server = http.createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { refreshToken: string };
    if (body.refreshToken !== valid) {
      response
        .writeHead(401)
        .end(
          JSON.stringify({ success: false, error: { code: 'TOKEN_INVALID', message: 'The refresh token is used up' } }),
        );
      return;
    }
    count += 1;
    valid = `refresh-${count + 1}`;
    response.end(
      JSON.stringify({
        success: true,
        data: { accessToken: `access-${count + 1}`, refreshToken: valid, expiresIn: 300, refreshExpiresIn: 1800 },
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, () => count);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('sessions', () => {
  it('are stored readable only by their owner', async () => {
    const file = freshFile();
    await keepSession(session(), file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(await currentToken(undefined, undefined, file)).toBe('access-1');
  });

  it('are one per hospital, latest first', async () => {
    const file = freshFile();
    await keepSession(session({ accessToken: 'old' }), file);
    await keepSession(session({ hospital: 'city-general', accessToken: 'city' }), file);
    await keepSession(session({ accessToken: 'new' }), file);
    expect(await currentToken(undefined, undefined, file)).toBe('new');
    expect(await currentToken(undefined, 'city-general', file)).toBe('city');
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toHaveLength(2);
  });

  it('keep their order when a token is refreshed, so that the current one stays', () =>
    withAuth(async (server) => {
      const file = freshFile();
      await keepSession(session({ server, hospital: 'old', expiresAt: 0 }), file);
      await keepSession(session({ server, hospital: 'new' }), file);
      expect(await currentToken(server, 'old', file)).toBe('access-2');
      expect(listSessions(file).map(({ hospital }) => hospital)).toEqual(['new', 'old']);
    }));

  it('are contexts with a name, one of which is used', async () => {
    const file = freshFile();
    await keepSession(session(), file);
    await keepSession(session({ name: 'city', hospital: 'city-general' }), file);
    await renameContext('st-mary@127.0.0.1:9', 'mary', file);
    await useContext('mary', file);
    expect(listSessions(file).map(contextName)).toEqual(['mary', 'city']);
    await expect(renameContext('mary', 'city', file)).rejects.toThrow(/there is a context city already/);
    await expect(useContext('mario', file)).rejects.toThrow('there is no context mario: name one of mary, city');
    await forgetContext('mary', file);
    expect(listSessions(file).map(contextName)).toEqual(['city']);
  });

  it('that were ended are forgotten before the next one is', async () => {
    const file = freshFile();
    await keepSession(session(), file);
    await keepSession(session({ hospital: 'city-general' }), file);
    const left: number[] = [];
    await endSessions(undefined, async () => void left.push(listSessions(file).length), file);
    expect([...left, listSessions(file).length]).toEqual([2, 1, 0]);
  });

  it('are refreshed once for parallel requests, because a refresh token is single-use', () =>
    withAuth(async (server, refreshes) => {
      const file = freshFile();
      await keepSession(session({ server, expiresAt: Date.now() + 1000 }), file);
      expect(await Promise.all([currentToken(server, 'st-mary', file), currentToken(server, 'st-mary', file)])).toEqual(
        ['access-2', 'access-2'],
      );
      expect(refreshes()).toBe(1);
    }));

  it('that have expired say how to log in again', () =>
    withAuth(async (server) => {
      const file = freshFile();
      await keepSession(session({ server, refreshToken: 'stolen', expiresAt: 0 }), file);
      await expect(currentToken(server, 'st-mary', file)).rejects.toThrow(
        'hmsctl login --hospital st-mary --email ann@st-mary.example',
      );
      await keepSession(session({ server, expiresAt: 0, refreshExpiresAt: 0 }), file);
      await expect(currentToken(server, 'st-mary', file)).rejects.toMatchObject({ code: 5 });
    }));

  it('that do not exist say how to log in', async () => {
    await expect(currentToken(undefined, 'st-mary', freshFile())).rejects.toThrow(/not logged in to st-mary/);
  });

  it.each(['{}', '[', 'null'])('that can not be read (%s) say what to delete', async (text) => {
    const file = path.join(freshFolder(), 'sessions.json');
    fs.writeFileSync(file, text);
    await expect(currentToken(undefined, undefined, file)).rejects.toThrow(`${file} does not hold logins: delete it`);
  });

  it('say why the platform does not answer', async () => {
    const file = freshFile();
    await keepSession(session({ expiresAt: 0 }), file);
    await expect(currentToken(undefined, undefined, file)).rejects.toThrow(
      /http:\/\/127\.0\.0\.1:9 can't be reached \(.+\): is the platform up/,
    );
  });

  it('follow XDG_CONFIG_HOME', () => {
    expect(sessionsFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/hmsctl/sessions.json');
  });
});
