package io.multimed.sql;

/**
 * A function that is not built in.
 *
 * @param volatility as in {@code pg_proc}: {@code i} for IMMUTABLE, {@code s} for STABLE, {@code v} for VOLATILE
 * @param language {@code c} for C, {@code i} for internal, {@code s} for SQL, {@code o} for any other
 * @param extension the extension to which the function belongs; empty if none
 * @param arguments type names of the arguments, separated by commas; empty if the function belongs to no extension
 */
record UserFunction(char volatility, char language, String extension, String arguments) {
    boolean immutableC() {
        return volatility == 'i' && language == 'c';
    }

    boolean isImmutableMachineCode() {
        return volatility == 'i' && (language == 'c' || language == 'i');
    }
}
