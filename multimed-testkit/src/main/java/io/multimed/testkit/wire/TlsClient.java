package io.multimed.testkit.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A connection under TLS that sends any bytes, reads whole messages and trusts every certificate. For one thread. */
public final class TlsClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SSLSocket socket;
    private final DataInputStream in;

    private TlsClient(SSLSocket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Returns a context, to which TLS sessions belong: connections of one context resume the sessions of others. */
    public static SSLContext context() throws GeneralSecurityException {
        return context(new KeyManager[0]);
    }

    /** Returns a context whose clients present a certificate. */
    public static SSLContext context(KeyManager... certificates) throws GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(certificates, new TrustManager[] {new Trusting()}, new SecureRandom());
        return trusting;
    }

    /** Connects and requests TLS from the server first. */
    public static TlsClient asking(ServerAddress address, SSLContext context) throws IOException {
        Socket socket = new Socket(address.host(), address.port());
        try {
            socket.getOutputStream().write(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
            int answer = socket.getInputStream().read();
            if (answer != 'S') {
                throw new IOException("no TLS: " + answer);
            }
            return over(socket, context);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** @param protocols named in the handshake */
    public static TlsClient over(Socket socket, SSLContext context, String... protocols) throws IOException {
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        tls.setSoTimeout((int) PATIENCE.toMillis());
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setApplicationProtocols(protocols);
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return new TlsClient(tls);
    }

    public SSLSession session() {
        return socket.getSession();
    }

    public String protocol() {
        return socket.getApplicationProtocol();
    }

    public X509Certificate certificate() throws IOException {
        return (X509Certificate) session().getPeerCertificates()[0];
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    public Message read() throws IOException {
        try {
            char type = (char) in.readUnsignedByte();
            return new Message(type, in.readNBytes(in.readInt() - 4));
        } catch (EOFException | SSLException | SocketException end) {
            throw new ConnectionEnded(String.valueOf(end.getMessage()));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
