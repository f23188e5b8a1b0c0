package io.multimed.dist;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Files of this program that go into distributions. */
final class DistResources {
    private DistResources() {}

    static String text(String name) throws IOException {
        try (InputStream in = DistResources.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
