/** Rules of the passwords in a hospital's realm. The words of the pages name them too. */

/** The shortest password that a realm accepts. */
export const LEAST_PASSWORD_CHARACTERS = 10;
/** As Keycloak writes it. Employees log in with their code as the username. */
export const PASSWORD_POLICY = `length(${LEAST_PASSWORD_CHARACTERS}) and notUsername and notEmail`;
