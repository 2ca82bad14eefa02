package dev.sluice.samples.soak;

import dev.sluice.samples.RandomBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Random;

/** Short messages one by one, and now and then a long one. */
final class EchoConversation implements Conversation {

    private static final int MESSAGES = 200;
    private static final int SHORT = 64;
    private static final int LONG = 60_000;

    private final InetSocketAddress address;
    private final byte[] bytes = RandomBytes.of(1, LONG + LONG);

    EchoConversation(InetSocketAddress address) {
        this.address = address;
    }

    @Override
    public int hold(Random random) throws IOException {
        try (PlainClient client = new PlainClient(address)) {
            int longOne = random.nextInt(MESSAGES);
            for (int i = 0; i < MESSAGES; i++) {
                int length = 1 + random.nextInt(i == longOne ? LONG : SHORT);
                int from = random.nextInt(LONG);
                client.send(bytes, from, length);
                client.expect(bytes, from, length);
            }
            client.endOutput();
            client.expectEnd();
            return MESSAGES;
        }
    }
}
