package io.multimed.endpoint.pg.session.loop;

import java.util.Arrays;

/**
 * The parameters and the result of a prepared statement, as an engine has described them.
 *
 * @param parameterTypes count and type OIDs of the parameters, as in a Parse message
 * @param result a digest of the names and types of the columns
 */
public record Analysis(byte[] parameterTypes, byte[] result) {
    /** Whether both results have the same columns. PostgreSQL does not let the result columns of a prepared statement change. */
    public boolean returnsAs(Analysis other) {
        return Arrays.equals(result, other.result);
    }

    /** Whether the parameters have these types. */
    public boolean takes(byte[] types) {
        return Arrays.equals(parameterTypes, types);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Analysis(var types, var columns)
                && Arrays.equals(parameterTypes, types)
                && Arrays.equals(result, columns);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(parameterTypes) * 31 + Arrays.hashCode(result);
    }
}
