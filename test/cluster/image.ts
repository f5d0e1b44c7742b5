import { $ } from 'zx';

/** Builds an image and loads it into the cluster: HMS_IMAGE_COMMAND <tag> <folder> -f <Dockerfile>. */
export async function buildImage(tag: string, folder: string, file: string): Promise<void> {
  const command = process.env.HMS_IMAGE_COMMAND;
  if (!command) throw new Error('HMS_IMAGE_COMMAND is not set: docs/development.md has examples');
  await $({ quiet: true })`sh -c ${`${command} "$@"`} sh ${tag} ${folder} -f ${file}`;
}
