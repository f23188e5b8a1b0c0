package io.multimed.endpoint.pg.hba;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The addresses that a rule concerns. */
sealed interface HbaAddress {
    boolean contains(InetAddress client);

    enum Any implements HbaAddress {
        ANY;

        @Override
        public boolean contains(InetAddress client) {
            return true;
        }
    }

    /**
     * A network.
     *
     * @param address whose bits outside the mask do not matter
     */
    record Network(List<Byte> address, List<Byte> mask) implements HbaAddress {
        static Network of(byte[] address, byte[] mask) {
            return new Network(boxed(address), boxed(mask));
        }

        static Network of(byte[] address, int bits) {
            byte[] mask = new byte[address.length];
            for (int bit = 0; bit < bits; bit++) {
                mask[bit / Byte.SIZE] |= (byte) (0x80 >>> bit % Byte.SIZE);
            }
            return of(address, mask);
        }

        private static List<Byte> boxed(byte[] bytes) {
            Byte[] boxes = new Byte[bytes.length];
            Arrays.setAll(boxes, i -> bytes[i]);
            return List.of(boxes);
        }

        @Override
        public boolean contains(InetAddress client) {
            byte[] bytes = client.getAddress();
            if (bytes.length != address.size()) {
                return false;
            }
            for (int i = 0; i < bytes.length; i++) {
                if (((bytes[i] ^ address.get(i)) & mask.get(i)) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Addresses of this machine, or of the networks to which it belongs directly. */
    enum Own implements HbaAddress {
        SAME_HOST,
        SAME_NET;

        @Override
        public boolean contains(InetAddress client) {
            try {
                return NetworkInterface.networkInterfaces()
                        .flatMap(each -> each.getInterfaceAddresses().stream())
                        .anyMatch(mine -> contains(mine, client));
            } catch (SocketException unknown) {
                return false;
            }
        }

        private boolean contains(InterfaceAddress mine, InetAddress client) {
            InetAddress address = mine.getAddress();
            return switch (this) {
                case SAME_HOST -> address.equals(client);
                case SAME_NET ->
                    Network.of(address.getAddress(), mine.getNetworkPrefixLength())
                            .contains(client);
            };
        }
    }

    /**
     * A host by its name, or all hosts of a domain by a name that begins with a dot. The name of the client's address is asked of
     * the system, which blocks; {@link InetAddress} checks that the name has this address, so nobody can feign one.
     */
    record Host(String name) implements HbaAddress {
        @Override
        public boolean contains(InetAddress client) {
            String actual = client.getHostName().toLowerCase(Locale.ROOT);
            String wanted = name.toLowerCase(Locale.ROOT);
            return wanted.startsWith(".") ? actual.endsWith(wanted) : actual.equals(wanted);
        }
    }

    /**
     * Reads a mask, or the address of a network without one.
     *
     * @return null if it is no address
     */
    static byte @Nullable [] numeric(String text) {
        try {
            return InetAddress.ofLiteral(text).getAddress();
        } catch (IllegalArgumentException notNumeric) {
            return null;
        }
    }
}
