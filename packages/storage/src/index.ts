export { StorageUnavailable } from './errors.ts';
export { extensionOfLogo, FIRST_BYTES, IMAGE_TYPES, typeOf, typeOfLogo } from './file-types.ts';
export { S3_SETTINGS, type S3Settings } from './settings.ts';
export {
  type Download,
  FileStorage,
  type FolderSize,
  type HospitalOfFiles,
  type SignedUrl,
  type StoredObject,
  type Upload,
  type UploadRequest,
} from './storage.ts';
