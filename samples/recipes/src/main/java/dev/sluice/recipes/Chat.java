package dev.sluice.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connections;
import dev.sluice.connection.Framer;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.reactor.ReactorGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sends each line to all clients, with the address of its author. A client that does not read is cut off, and so is one
 * that says nothing for ten minutes.
 */
public final class Chat extends ServiceHandler {

    private final Framer lines = Framer.lines(1024, this::line);
    private final ByteBuffer message = ByteBuffer.allocateDirect(2048);
    private byte[] author;

    @Override
    protected void open() {
        author = (remoteAddress() + ": ").getBytes(UTF_8);
        output().limit(512 * 1024);
        registration().idleTimeout(Interest.READ, Duration.ofMinutes(10));
    }

    @Override
    protected void received(ByteBuffer bytes) throws Exception {
        lines.append(bytes);
    }

    private void line(ByteBuffer line) {
        connections().broadcast(message.clear().put(author).put(line).put((byte) '\n').flip());
    }

    public static void main(String[] args) throws IOException {
        ListenOptions options = new ListenOptions().connections(new Connections().limit(10_000));
        try (ReactorGroup group = ReactorGroup.open()) {
            Acceptor.listen(group, new InetSocketAddress(Integer.parseInt(args[0])), options, Chat::new);
            group.stopOnTermination(Duration.ofSeconds(5));
            group.run();
        }
    }
}
