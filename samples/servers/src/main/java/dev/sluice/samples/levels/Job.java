package dev.sluice.samples.levels;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job of a client.
 *
 * @param client the client
 * @param rounds how often to digest the digest again
 * @param text   what to digest first
 */
record Job(ClientHandler client, int rounds, String text) {

    static final int MAX_ROUNDS = 100_000_000;

    private static final Pattern LINE = Pattern.compile("(\\d{1,9}) (.*)");

    static Job parse(ClientHandler client, String line) throws IOException {
        Matcher job = LINE.matcher(line);
        if (!job.matches() || Integer.parseInt(job.group(1)) > MAX_ROUNDS) {
            throw new IOException("expected 'ROUNDS TEXT' with at most " + MAX_ROUNDS + " rounds");
        }
        return new Job(client, Integer.parseInt(job.group(1)), job.group(2));
    }

    /** Does the work; returns null if it is no longer needed. */
    String digest(BooleanSupplier isWanted) {
        MessageDigest algorithm = algorithm();
        byte[] digest = algorithm.digest(text.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < rounds; i++) {
            if (!isWanted.getAsBoolean()) {
                return null;
            }
            digest = algorithm.digest(digest);
        }
        return HexFormat.of().formatHex(digest);
    }

    private static MessageDigest algorithm() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }
}
