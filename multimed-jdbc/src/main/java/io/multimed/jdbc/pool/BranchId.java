package io.multimed.jdbc.pool;

import java.util.Base64;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a branch of a global transaction. Its name in H2 is the one that H2's own data source uses, so that either can
 * complete a branch that the other has prepared.
 *
 * @param format format identifier given by the transaction manager
 * @param global identifier of the transaction, in Base64
 * @param qualifier identifier of the branch, in Base64
 */
record BranchId(int format, String global, String qualifier) implements Xid {
    private static final int PARTS = 4;

    static BranchId of(Xid xid) {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        return new BranchId(
                xid.getFormatId(),
                base64.encodeToString(xid.getGlobalTransactionId()),
                base64.encodeToString(xid.getBranchQualifier()));
    }

    /**
     * Parses a name.
     *
     * @return null if the name is not that of a branch
     */
    static @Nullable BranchId parse(String name) {
        String[] parts = name.split("\\|", -1);
        if (parts.length != PARTS || !parts[0].equals("XID")) {
            return null;
        }
        try {
            BranchId id = new BranchId(Integer.parseInt(parts[1]), parts[3], parts[2]);
            return id.getGlobalTransactionId().length > MAXGTRIDSIZE || id.getBranchQualifier().length > MAXBQUALSIZE
                    ? null
                    : id;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    String name() {
        return "XID|" + format + "|" + qualifier + "|" + global;
    }

    @Override
    public int getFormatId() {
        return format;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return Base64.getUrlDecoder().decode(global);
    }

    @Override
    public byte[] getBranchQualifier() {
        return Base64.getUrlDecoder().decode(qualifier);
    }
}
