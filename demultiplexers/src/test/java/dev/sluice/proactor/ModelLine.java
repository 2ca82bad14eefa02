package dev.sluice.proactor;

import dev.sluice.reactor.Connection;
import dev.sluice.reactor.RecordingPeer;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the model knows of one connection, whose far end is a plain peer. */
final class ModelLine {

    final Connection connection;
    final AsyncStream near;
    final RecordingPeer far;
    final List<StartedOperation> started = new CopyOnWriteArrayList<>();
    /** How many had been started when the program learned of the latest gap in what it sends. */
    private int startedBeforeGap;

    ModelLine(int number, Connection connection, AsyncStream near) {
        this.connection = connection;
        this.near = near;
        far = new RecordingPeer(number, connection.far());
    }

    /** Whether everything that must come by itself has come. */
    boolean isQuiet() {
        boolean allRead = received().length == far.sentCount();
        if (far.isWhole() && far.receivedCount() < sent().length) {
            return false;
        }
        for (StartedOperation operation : started) {
            if (!operation.over && (far.isClosed() || far.isNearClosed() || operation.mayBeCancelled
                    || operation.isSend() || operation.isReceive() && (far.isEnded() || !allRead))) {
                return false;
            }
        }
        return true;
    }

    /** A send has completed that leaves some of its bytes unsent. */
    void leaveGap() {
        startedBeforeGap = started.size();
    }

    boolean startedBeforeGap(StartedOperation operation) {
        return started.indexOf(operation) < startedBeforeGap;
    }

    byte[] received() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        started.stream().filter(StartedOperation::isReceive).filter(operation -> operation.over
                || operation.received.size() > 0).forEach(operation -> operation.copyTo(bytes));
        return bytes.toByteArray();
    }

    void checkReceived() {
        far.requirePrefix(far.sent(), received(), "received");
    }

    /** All bytes in order and once. */
    void checkBytes() {
        checkReceived();
        byte[] sent = sent();
        far.requirePrefix(sent, far.received(), "sent");
        far.require(!far.isWhole() || far.receivedCount() == sent.length,
                "acknowledged " + sent.length + " bytes, the peer got " + far.receivedCount());
    }

    private byte[] sent() {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        started.stream().filter(StartedOperation::isSend).filter(operation -> operation.over)
                .forEach(operation -> operation.copyTo(sent));
        return sent.toByteArray();
    }

    void close() {
        near.close();
        connection.close();
    }

    @Override
    public String toString() {
        return far.toString();
    }
}
