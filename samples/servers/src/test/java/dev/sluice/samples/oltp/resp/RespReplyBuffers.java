package dev.sluice.samples.oltp.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.campaign.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * Replies that are put and sent in the order that the input says: each comes out once, whole, and is what a client's
 * parser takes for a reply.
 */
final class RespReplyBuffers implements FuzzTarget {

    private static final Pattern NOT_PRINTABLE = Pattern.compile("[^ -~]");

    private final StringBuilder expected = new StringBuilder();
    private final StringBuilder sent = new StringBuilder();
    private int replies;

    @Override
    public void check(byte[] input) {
        expected.setLength(0);
        sent.setLength(0);
        replies = 0;
        ReplyBuffer buffer = new ReplyBuffer();
        ByteBuffer script = ByteBuffer.wrap(input);
        while (script.remaining() > 1) {
            step(buffer, script.get() & 0xff, script);
            assertEquals(expected.length() - sent.length(), buffer.size());
        }
        send(buffer, Integer.MAX_VALUE);
        assertEquals(expected.toString(), sent.toString());
        parsedAgain();
    }

    private void step(ReplyBuffer buffer, int what, ByteBuffer script) {
        int amount = script.get() & 0xff;
        switch (what % 8) {
            case 0 -> put("+" + "s".repeat(amount), () -> buffer.simple("s".repeat(amount)));
            case 1 -> {
                String text = text(script, amount);
                put("-" + NOT_PRINTABLE.matcher(text).replaceAll("?"), () -> buffer.error(text));
            }
            case 2 -> {
                long value = script.remaining() < Long.BYTES ? -amount : script.getLong();
                put(":" + value, () -> buffer.integer(value));
            }
            case 3 -> put("$-1", buffer::nullBulk);
            case 4 -> {
                String text = text(script, amount);
                byte[] octets = text.getBytes(UTF_8);
                put("$" + octets.length + "\r\n" + new String(octets, ISO_8859_1), () -> buffer.bulk(text));
            }
            case 5 -> {
                byte[] octets = new byte[40 * amount];
                put("$" + octets.length + "\r\n" + "\0".repeat(octets.length),
                        () -> buffer.bulk(octets, 0, octets.length));
            }
            case 6 -> put("*0", () -> buffer.array(0));
            default -> send(buffer, 16 * amount);
        }
    }

    private static String text(ByteBuffer script, int amount) {
        byte[] octets = new byte[Math.min(amount, script.remaining())];
        script.get(octets);
        return new String(octets, ISO_8859_1);
    }

    private void put(String reply, Runnable call) {
        call.run();
        expected.append(reply).append("\r\n");
        replies++;
    }

    private void send(ReplyBuffer buffer, int maximum) {
        ByteBuffer pending = buffer.pending();
        byte[] octets = new byte[Math.min(maximum, pending.remaining())];
        pending.get(octets);
        sent.append(new String(octets, ISO_8859_1));
    }

    private void parsedAgain() {
        ReplyParser parser = new ReplyParser();
        ByteBuffer in = ByteBuffer.wrap(sent.toString().getBytes(ISO_8859_1));
        for (int i = 0; i < replies; i++) {
            assertEquals(ReplyParser.Outcome.COMPLETE, parser.parse(in));
        }
        assertFalse(in.hasRemaining());
    }
}
