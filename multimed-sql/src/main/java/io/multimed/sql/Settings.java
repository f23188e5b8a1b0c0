package io.multimed.sql;

/** The effect that changing a setting has on the backend in which it is changed. */
final class Settings {
    private Settings() {}

    static SessionEffect effectOfSetting(String name, boolean local) {
        return switch (name) {
            // The seed cannot be read back. A role changes which values later settings may have.
            case "seed" -> SessionEffect.HIDDEN;
            case "role", "session_authorization" -> local ? SessionEffect.NONE : SessionEffect.PRIVATE;
            // These last for one transaction, with SET LOCAL as well as with SET SESSION.
            case "transaction_isolation", "transaction_read_only", "transaction_deferrable" -> SessionEffect.NONE;
            default -> local ? SessionEffect.NONE : SessionEffect.SETTINGS;
        };
    }
}
