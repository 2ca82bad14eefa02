package dev.sluice.proactor;

import dev.sluice.handle.SocketOptions;
import dev.sluice.reactor.Connection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the model knows of one connection, whose far end is a plain peer. */
final class ModelLine {

    final int number;
    final Connection connection;
    final AsyncStream near;
    final List<StartedOperation> started = new CopyOnWriteArrayList<>();
    /** What the peer has sent, and what it has received. */
    private final ByteArrayOutputStream farSent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream farReceived = new ByteArrayOutputStream();

    volatile boolean nearClosed;
    volatile boolean shutDown;
    private boolean farEnded;
    private boolean farClosed;
    private boolean endSeen;

    ModelLine(int number, Connection connection, AsyncStream near) {
        this.number = number;
        this.connection = connection;
        this.near = near;
    }

    /** Whether nothing has happened yet that may cost bytes. */
    boolean isWhole() {
        return !nearClosed && !farClosed;
    }

    boolean isFarClosed() {
        return farClosed;
    }

    boolean isFarEnded() {
        return farEnded;
    }

    void farSend(int count) throws IOException {
        if (farEnded) {
            return;
        }
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = pattern(number, farSent.size() + i);
        }
        ByteBuffer source = ByteBuffer.wrap(bytes);
        try {
            connection.far().send(source);
        } catch (IOException e) {
            require(nearClosed, "the peer cannot send: " + e);
        }
        farSent.write(bytes, 0, source.position());
    }

    void farReceive(int count) throws IOException {
        if (farClosed || endSeen) {
            return;
        }
        ByteBuffer destination = ByteBuffer.allocate(count);
        try {
            int received = connection.far().receive(destination);
            endSeen = received < 0;
            require(!endSeen || nearClosed || shutDown, "the peer sees an end that nobody has made");
        } catch (IOException e) {
            require(nearClosed, "the peer cannot receive: " + e);
            endSeen = true;
        }
        farReceived.write(destination.array(), 0, destination.position());
    }

    void farShutdown() throws IOException {
        if (!farEnded) {
            farEnded = true;
            try {
                connection.far().shutdownOutput();
            } catch (IOException e) {
                require(nearClosed, "the peer cannot shut down: " + e);
            }
        }
    }

    void farClose(boolean reset) throws IOException {
        if (!farClosed) {
            farEnded = true;
            farClosed = true;
            if (reset) {
                connection.far().setOption(SocketOptions.SO_LINGER, 0);
            }
            connection.far().close();
        }
    }

    /** Whether everything that must come by itself has come. */
    boolean isQuiet() {
        boolean allRead = received().length == farSent.size();
        if (isWhole() && farReceived.size() < sent().length) {
            return false;
        }
        for (StartedOperation operation : started) {
            if (!operation.over && (farClosed || nearClosed || operation.mayBeCancelled || operation.isSend()
                    || operation.isReceive() && (farEnded || !allRead))) {
                return false;
            }
        }
        return true;
    }

    byte[] received() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        started.stream().filter(StartedOperation::isReceive).filter(operation -> operation.over
                || operation.received.size() > 0).forEach(operation -> operation.copyTo(bytes));
        return bytes.toByteArray();
    }

    void checkReceived() {
        prefix(farSent.toByteArray(), received(), "received");
    }

    /** All bytes in order and once. */
    void checkBytes() {
        checkReceived();
        byte[] sent = sent();
        prefix(sent, farReceived.toByteArray(), "sent");
        require(!isWhole() || farReceived.size() == sent.length,
                "acknowledged " + sent.length + " bytes, the peer got " + farReceived.size());
    }

    private byte[] sent() {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        started.stream().filter(StartedOperation::isSend).filter(operation -> operation.over)
                .forEach(operation -> operation.copyTo(sent));
        return sent.toByteArray();
    }

    private void prefix(byte[] whole, byte[] part, String what) {
        int at = Arrays.mismatch(whole, part);
        require(at < 0 || at == part.length, what + " bytes differ at " + at + ", of " + whole.length + " and "
                + part.length);
    }

    static byte pattern(int salt, int index) {
        return (byte) (index ^ index >>> 8 ^ index >>> 16 ^ 37 * salt);
    }

    void require(boolean rule, String otherwise) {
        if (!rule) {
            throw new AssertionError(this + ": " + otherwise);
        }
    }

    void close() {
        near.close();
        connection.close();
    }

    @Override
    public String toString() {
        return "line " + number;
    }
}
