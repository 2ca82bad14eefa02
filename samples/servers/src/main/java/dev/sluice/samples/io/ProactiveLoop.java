package dev.sluice.samples.io;

import dev.sluice.calls.Bindings;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.Connections;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** What the connections of one proactor share. For all threads that run it. */
final class ProactiveLoop extends ProtocolLoop {

    private static final int BUFFER_SIZE = 64 * 1024;
    /** Buffers kept for the next replies; what more there are is left to the collector. */
    private static final int MAX_SPARE = 64;

    private static final String COMPLETION_PORT = "iocp";

    private final Proactor proactor;
    private final AsyncFiles files;
    private final BacklogMemory backlogs;
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();

    ProactiveLoop(Protocol protocol, AccessLog log, FileIo fileIo, Connections connections, Proactor proactor,
            BacklogMemory backlogs) {
        super(protocol, log, fileIo, connections, proactor);
        this.proactor = proactor;
        this.backlogs = backlogs;
        this.files = new AsyncFiles(proactor);
    }

    Proactor proactor() {
        return proactor;
    }

    /** {@return whether a connection can leave it} A completion port keeps a handle as long as it is open. */
    boolean mayLeave() {
        return !proactor.demultiplexer().equals(COMPLETION_PORT);
    }

    AsyncFiles files() {
        return files;
    }

    BacklogMemory backlogs() {
        return backlogs;
    }

    /** {@return an empty buffer, to be given back when nothing in flight uses it} */
    synchronized ByteBuffer takeBuffer() {
        ByteBuffer buffer = spare.poll();
        return buffer != null ? buffer.clear() : Bindings.current().memory().allocateBuffer(BUFFER_SIZE);
    }

    synchronized void release(ByteBuffer buffer) {
        if (spare.size() < MAX_SPARE) {
            spare.push(buffer);
        }
    }
}
