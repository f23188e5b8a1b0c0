package io.multimed.testkit.mariadb;

import io.multimed.testkit.tls.TestCertificate;
import io.multimed.testkit.wire.TlsClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A man in the middle: clients see another certificate than the server's, and everything that they send under TLS passes on. */
public final class CertificateSwap implements AutoCloseable {
    private static final int REQUEST_LENGTH = 36;
    /** Clients do not take it for their own machine, whose servers they would trust. */
    private static final byte[] ADDRESS = {127, 0, 0, 2};

    private final int server;
    private final SSLContext shown;
    private final ServerSocket listening;

    public CertificateSwap(int server, TestCertificate shown) throws IOException, GeneralSecurityException {
        this.server = server;
        this.shown = shown.serverContext();
        listening = new ServerSocket(0, 0, InetAddress.getByAddress(ADDRESS));
        Thread.ofPlatform().daemon().start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Thread.ofPlatform().daemon().start(() -> pass(client));
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private void pass(Socket client) {
        try (client;
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), server)) {
            InputStream in = plain.getInputStream();
            byte[] header = in.readNBytes(4);
            client.getOutputStream().write(header);
            client.getOutputStream().write(in.readNBytes(header[0] & 0xff));
            plain.getOutputStream().write(client.getInputStream().readNBytes(REQUEST_LENGTH));
            SSLSocket toServer =
                    (SSLSocket) TlsClient.context().getSocketFactory().createSocket(plain, "localhost", server, true);
            SSLSocket toClient =
                    (SSLSocket) shown.getSocketFactory().createSocket(client, "localhost", client.getPort(), true);
            toClient.setUseClientMode(false);
            Thread.ofPlatform().daemon().start(() -> copy(toServer, toClient));
            copy(toClient, toServer);
        } catch (IOException | GeneralSecurityException ended) {
            // The client sees that its connection is closed.
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.close();
        } catch (IOException ended) {
            // So has the other direction.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
