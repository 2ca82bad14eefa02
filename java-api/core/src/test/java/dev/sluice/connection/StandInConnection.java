package dev.sluice.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.handle.FileHandle;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A connection without a socket, which records what is done to it. */
final class StandInConnection implements Connection {

    final LoopMember member;
    final StringBuilder sent = new StringBuilder();
    int byReference;
    boolean ended;
    Throwable failure;

    private final String name;
    private final List<String> calls;
    private final OutputQueue output = new Output();

    StandInConnection(String name, List<String> calls) {
        this(name, calls, Runnable::run);
    }

    StandInConnection(String name, List<String> calls, Executor loop) {
        this.name = name;
        this.calls = calls;
        this.member = new LoopMember(loop) {
            @Override
            protected void finish() {
                calls.add("finish " + name);
            }

            @Override
            protected void endNow() {
                calls.add("end " + name);
            }
        };
    }

    @Override
    public OutputQueue output() {
        return output;
    }

    @Override
    public SocketAddress remoteAddress() {
        throw new AssertionError();
    }

    @Override
    public long receivedBytes() {
        throw new AssertionError();
    }

    @Override
    public long sentBytes() {
        throw new AssertionError();
    }

    @Override
    public long openedNanos() {
        throw new AssertionError();
    }

    @Override
    public boolean isConnected() {
        return !ended;
    }

    @Override
    public void closeWhenSent() {
        calls.add("closeWhenSent " + name);
    }

    @Override
    public void close() {
        calls.add("close " + name);
    }

    @Override
    public Executor loop() {
        return member.loop();
    }

    @Override
    public String toString() {
        return name;
    }

    /** Takes bytes, or fails as the test wants. */
    private final class Output extends OutputQueue {

        private boolean take(ByteBuffer bytes) {
            sent.append(ISO_8859_1.decode(bytes));
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
            return !ended;
        }

        @Override
        public boolean send(ByteBuffer bytes) {
            return take(bytes);
        }

        @Override
        public boolean send(ProvidedBuffer buffer) {
            throw new AssertionError();
        }

        @Override
        public boolean send(ByteBuffer bytes, Runnable returned) {
            byReference++;
            try {
                return take(bytes);
            } finally {
                returned.run();
            }
        }

        @Override
        public boolean send(FileHandle file, long position, long count) {
            throw new AssertionError();
        }

        @Override
        public OutputQueue watermarks(int low, int high) {
            throw new AssertionError();
        }

        @Override
        public OutputQueue limit(int bytes) {
            throw new AssertionError();
        }

        @Override
        public void pauses(Connection input) {
            throw new AssertionError();
        }

        @Override
        public void expectReply() {
            throw new AssertionError();
        }

        @Override
        public boolean reply(ByteBuffer bytes) {
            throw new AssertionError();
        }

        @Override
        public void shutdownWhenSent() {
            throw new AssertionError();
        }

        @Override
        public void closeWhenSent() {
            throw new AssertionError();
        }

        @Override
        public long unsentBytes() {
            throw new AssertionError();
        }

        @Override
        public boolean isAboveHighWatermark() {
            throw new AssertionError();
        }

        @Override
        public Optional<Throwable> endCause() {
            return Optional.ofNullable(failure);
        }
    }
}
