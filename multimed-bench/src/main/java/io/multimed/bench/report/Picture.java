package io.multimed.bench.report;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Writes PNG with a table of colours, which is smaller than one with a colour for each point, since a chart has few colours.
 */
final class Picture {
    private static final int MOST_COLOURS = 256;
    private static final int BITS = 8;
    private static final int MASK = 0xff;
    private static final int RED = 16;
    private static final int GREEN = 8;

    private Picture() {}

    /**
     * Returns the image as PNG with at most {@link #MOST_COLOURS} colours. If it has more, which are shades at the edges of
     * letters and lines, the nearest colour replaces the rarest ones.
     */
    static byte[] png(BufferedImage image) throws IOException {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                counts.merge(image.getRGB(x, y), 1, Integer::sum);
            }
        }
        List<Integer> colours = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_COLOURS)
                .map(Map.Entry::getKey)
                .toList();
        Map<Integer, Integer> places = new HashMap<>();
        counts.keySet().forEach(colour -> places.put(colour, nearest(colour, colours)));
        BufferedImage indexed =
                new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model(colours));
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                indexed.getRaster().setSample(x, y, 0, places.getOrDefault(image.getRGB(x, y), 0));
            }
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        // With a plain stream ImageIO uses a temporary file, which an abrupt end leaves behind.
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(png)) {
            ImageIO.write(indexed, "png", out);
        }
        return png.toByteArray();
    }

    private static int nearest(int colour, List<Integer> colours) {
        int place = colours.indexOf(colour);
        return place >= 0
                ? place
                : IntStream.range(0, colours.size())
                        .boxed()
                        .min(Comparator.comparingInt(other -> distance(colour, colours.get(other))))
                        .orElse(0);
    }

    private static int distance(int one, int other) {
        int red = part(one, RED) - part(other, RED);
        int green = part(one, GREEN) - part(other, GREEN);
        int blue = part(one, 0) - part(other, 0);
        return red * red + green * green + blue * blue;
    }

    private static int part(int colour, int shift) {
        return colour >> shift & MASK;
    }

    private static IndexColorModel model(List<Integer> colours) {
        byte[] red = new byte[colours.size()];
        byte[] green = new byte[colours.size()];
        byte[] blue = new byte[colours.size()];
        for (int i = 0; i < colours.size(); i++) {
            red[i] = (byte) part(colours.get(i), RED);
            green[i] = (byte) part(colours.get(i), GREEN);
            blue[i] = (byte) part(colours.get(i), 0);
        }
        return new IndexColorModel(BITS, colours.size(), red, green, blue);
    }
}
