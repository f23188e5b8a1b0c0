package io.multimed.engine.postgresql.binaries;

import io.multimed.core.spi.CopyProgress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import org.tukaani.xz.XZInputStream;

/** The archive of PostgreSQL's Maven artifact. This class alone needs XZ, which a distribution does not have. */
final class PackedBinaries {
    private PackedBinaries() {}

    /** Unpacks into an empty directory. */
    static void unpackInto(URL resource, Path directory, CopyProgress progress) throws IOException {
        URLConnection connection = resource.openConnection();
        long total = connection.getContentLengthLong();
        try (InputStream in = connection.getInputStream();
                InputStream xz = new XZInputStream(new Counting(in, total, progress))) {
            new TarReader(xz, directory).unpack();
            // The rest is read to the end, so that the checksum there is verified.
            xz.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static final class Counting extends FilterInputStream {
        private final long total;
        private final CopyProgress progress;
        private long read;

        Counting(InputStream in, long total, CopyProgress progress) {
            super(in);
            this.total = total;
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            read += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            if (count > 0) {
                read += count;
                progress.copied(read, total);
            }
            return count;
        }
    }
}
