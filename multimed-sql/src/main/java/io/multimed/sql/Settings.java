package io.multimed.sql;

/** What changing a setting means for the backend it is changed in. */
final class Settings {
    private Settings() {}

    static SessionEffect effectOfSetting(String name, boolean local) {
        return switch (name) {
            // The seed is no setting that can be read back; a role changes what later settings are allowed to be.
            case "seed" -> SessionEffect.HIDDEN;
            case "role", "session_authorization" -> local ? SessionEffect.NONE : SessionEffect.PRIVATE;
            // Named for a transaction, whatever keyword stands before them.
            case "transaction_isolation", "transaction_read_only", "transaction_deferrable" -> SessionEffect.NONE;
            default -> local ? SessionEffect.NONE : SessionEffect.SETTINGS;
        };
    }
}
