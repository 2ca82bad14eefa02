package dev.sluice.samples.soak;

import dev.sluice.samples.RandomBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests on a connection that is kept alive: small and large files, parts of them, heads, and what is not there. */
final class WebConversation implements Conversation {

    private static final int REQUESTS = 60;
    private static final int[] SIZES = {0, 1, 700, 16_384, 300_000};
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)\r\n");

    private final InetSocketAddress address;
    private final byte[][] files = new byte[SIZES.length][];

    WebConversation(InetSocketAddress address) {
        this.address = address;
        for (int i = 0; i < SIZES.length; i++) {
            files[i] = RandomBytes.of(i, SIZES[i]);
        }
    }

    /** Makes what is asked for. */
    static Path makeFiles(Path directory) throws IOException {
        Path root = Files.createDirectory(directory.resolve("root"));
        for (int i = 0; i < SIZES.length; i++) {
            Files.write(root.resolve("file" + i), RandomBytes.of(i, SIZES[i]));
        }
        return root;
    }

    @Override
    public int hold(Random random) throws IOException {
        try (PlainClient client = new PlainClient(address)) {
            int large = random.nextInt(REQUESTS);
            for (int i = 0; i < REQUESTS; i++) {
                ask(client, i == large ? SIZES.length - 1 : random.nextInt(SIZES.length - 1), random);
            }
            client.endOutput();
            client.expectEnd();
            return REQUESTS;
        }
    }

    private void ask(PlainClient client, int which, Random random) throws IOException {
        byte[] content = files[which];
        switch (random.nextInt(8)) {
            case 0 -> {
                client.send(request("HEAD", "file" + which, ""));
                expectLength(content.length, expectHead(client, 200));
            }
            case 1 -> {
                client.send(request("GET", "nothing", ""));
                client.receive(lengthIn(expectHead(client, 404)));
            }
            case 2 -> {
                if (content.length > 0) {
                    int from = random.nextInt(content.length);
                    int count = 1 + random.nextInt(content.length - from);
                    client.send(request("GET", "file" + which, "Range: bytes=" + from + "-" + (from + count - 1)
                            + "\r\n"));
                    expectLength(count, expectHead(client, 206));
                    client.expect(content, from, count);
                }
            }
            default -> {
                client.send(request("GET", "file" + which, ""));
                expectLength(content.length, expectHead(client, 200));
                client.expect(content, 0, content.length);
            }
        }
    }

    static String request(String method, String target, String field) {
        return method + " /" + target + " HTTP/1.1\r\nHost: soak\r\n" + field + "\r\n";
    }

    private static String expectHead(PlainClient client, int status) throws IOException {
        String head = client.receiveUntil("\r\n\r\n");
        if (!head.startsWith("HTTP/1.1 " + status + " ")) {
            throw new AssertionError("not " + status + ": " + head);
        }
        return head;
    }

    private static int lengthIn(String head) {
        Matcher length = LENGTH.matcher(head);
        if (!length.find()) {
            throw new AssertionError("no length: " + head);
        }
        return Integer.parseInt(length.group(1));
    }

    private static void expectLength(int expected, String head) {
        if (lengthIn(head) != expected) {
            throw new AssertionError("not of length " + expected + ": " + head);
        }
    }
}
