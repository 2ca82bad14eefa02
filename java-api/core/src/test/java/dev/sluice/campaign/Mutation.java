package dev.sluice.campaign;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Creates inputs that resemble known ones: most random inputs would not get past a parser's first state. */
final class Mutation {

    private static final int LONGEST = 512;
    private static final int LONGEST_PART = 24;
    /** Octets that have a meaning in some protocol, and limits of ranges. */
    private static final byte[] MEANINGFUL = {0, 1, '\t', '\n', '\r', ' ', '"', '$', '%', '*', '+', ',', '-', '.', '/',
        '0', '1', '9', ':', ';', '<', '=', '>', '?', '@', 'A', 'Z', '[', '\\', ']', 'a', 'z', 0x7F, (byte) 0x80,
        (byte) 0xC3, (byte) 0xFF};

    private final List<byte[]> seeds;

    Mutation(List<byte[]> seeds) {
        this.seeds = seeds;
    }

    byte[] next(Random random) {
        byte[] input = seed(random);
        for (int i = random.nextInt(6); i >= 0; i--) {
            input = changed(input, random);
        }
        return input.length > LONGEST ? Arrays.copyOf(input, LONGEST) : input;
    }

    private byte[] seed(Random random) {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private byte[] changed(byte[] input, Random random) {
        int at = random.nextInt(input.length + 1);
        int end = Math.min(input.length, at + random.nextInt(LONGEST_PART));
        return switch (random.nextInt(6)) {
            case 0 -> replaced(input, at, end, new byte[0]);
            case 1 -> replaced(input, at, at, part(input, random));
            case 2 -> replaced(input, at, end, part(seed(random), random));
            case 3 -> replaced(input, at, Math.min(at + 1, input.length), meaningful(random));
            case 4 -> replaced(input, at, at, meaningful(random));
            default -> replaced(input, at, Math.min(at + 1, input.length), new byte[] {(byte) random.nextInt()});
        };
    }

    private static byte[] meaningful(Random random) {
        byte[] octets = new byte[random.nextInt(8) == 0 ? random.nextInt(LONGEST_PART) : 1];
        Arrays.fill(octets, MEANINGFUL[random.nextInt(MEANINGFUL.length)]);
        return octets;
    }

    private static byte[] part(byte[] input, Random random) {
        int from = random.nextInt(input.length + 1);
        return Arrays.copyOfRange(input, from, Math.min(input.length, from + random.nextInt(LONGEST_PART)));
    }

    private static byte[] replaced(byte[] input, int from, int to, byte[] with) {
        byte[] result = Arrays.copyOf(input, from + with.length + input.length - to);
        System.arraycopy(with, 0, result, from, with.length);
        System.arraycopy(input, to, result, from + with.length, input.length - to);
        return result;
    }
}
