package io.multimed.sql;

/**
 * SipHash-1-3 with 128 bits of output (Aumasson, Bernstein), over bytes that arrive one by one. The key is random for each
 * process, so an attacker cannot prepare two statements with the same hash. One thread at a time; does not allocate.
 */
final class KeyedHash {
    /** Byte that ends names and operators in the hash input. None of them contains it. */
    private static final int TERMINATOR = 0;

    private final long key0;
    private final long key1;
    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private long word;
    private int bits;
    private long length;
    /** One half of the hash, when it is finished. */
    long high;
    /** The other half. */
    long low;

    KeyedHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    void reset() {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
        word = 0;
        bits = 0;
        length = 0;
    }

    void put(int b) {
        word |= (b & 0xffL) << bits;
        bits += 8;
        length++;
        if (bits == 64) {
            compress(word);
            word = 0;
            bits = 0;
        }
    }

    /**
     * Adds a name or operator to the hash: its kind, its bytes, and a terminator.
     *
     * @param fold whether ASCII letters count as lower case
     */
    void putName(int kind, byte[] sql, int from, int to, boolean fold) {
        // Local variables, because this loop processes every byte of every statement.
        long filling = word;
        int filled = bits;
        for (int i = from - 1; i <= to; i++) {
            int b = i < from ? kind : i == to ? TERMINATOR : fold ? Verb.FOLDED[sql[i] & 0xff] : sql[i];
            filling |= (b & 0xffL) << filled;
            filled += 8;
            if (filled == 64) {
                compress(filling);
                filling = 0;
                filled = 0;
            }
        }
        word = filling;
        bits = filled;
        length += to - from + 2;
    }

    void finish() {
        compress(word | length << 56);
        v2 ^= 0xee;
        rounds(3);
        low = v0 ^ v1 ^ v2 ^ v3;
        v1 ^= 0xdd;
        rounds(3);
        high = v0 ^ v1 ^ v2 ^ v3;
    }

    private void compress(long m) {
        v3 ^= m;
        rounds(1);
        v0 ^= m;
    }

    private void rounds(int times) {
        for (int i = 0; i < times; i++) {
            long a = v0 + v1;
            long b = Long.rotateLeft(v1, 13) ^ a;
            long c = v2 + v3;
            long d = Long.rotateLeft(v3, 16) ^ c;
            a = Long.rotateLeft(a, 32) + d;
            c += b;
            v0 = a;
            v3 = Long.rotateLeft(d, 21) ^ a;
            v1 = Long.rotateLeft(b, 17) ^ c;
            v2 = Long.rotateLeft(c, 32);
        }
    }
}
