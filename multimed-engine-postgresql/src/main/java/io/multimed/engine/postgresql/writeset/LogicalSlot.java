package io.multimed.engine.postgresql.writeset;

/**
 * A logical slot and what it decodes.
 *
 * @param slot its name: lower-case letters, digits and underscores
 * @param publication the name of the publication whose tables it is about
 */
public record LogicalSlot(String slot, String publication) {
    private static final int MAX_NAME = 63;

    public LogicalSlot {
        if (!slot.matches("[a-z0-9_]{1," + MAX_NAME + "}")) {
            throw new IllegalArgumentException("not a slot's name: " + slot);
        }
    }

    /**
     * A slot as it was created.
     *
     * @param consistentPoint a copy of the Master at this position lacks exactly the transactions that the slot gives
     * @param snapshot the name of the exported snapshot at this position; valid until the next command; empty if none was requested
     */
    public record Created(long consistentPoint, String snapshot) {}
}
