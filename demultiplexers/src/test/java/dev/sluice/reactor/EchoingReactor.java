package dev.sluice.reactor;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.SmallJvm;
import dev.sluice.calls.Windows;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.WineDifference;
import java.io.IOException;

/** A program that says how many bytes of garbage a message costs that comes in and is sent back. */
final class EchoingReactor {

    private static final int MESSAGES = WineDifference.times(50_000);

    /**
     * Sends back what it receives. By the calls themselves: whether the address of a {@code ByteBuffer} costs an object
     * is up to the compiler under ffm ({@code MemorySegment.ofBuffer}), and has nothing to do with the reactor.
     */
    private static final class Echo extends OneHandleHandler {

        private final Posix posix = CalledSystem.isWindows() ? null : Bindings.current().posix();
        private final Windows windows = CalledSystem.isWindows() ? Bindings.current().windows() : null;
        private final Handle handle;
        private final MemoryBlock memory;
        private int messages;
        private int target;
        private Reactor reactor;

        Echo(Handle handle, MemoryBlock memory) {
            this.handle = handle;
            this.memory = memory;
        }

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            long descriptor = Descriptors.of(handle).acquire();
            try {
                int received = receive(descriptor);
                while (received > 0) {
                    messages++;
                    if (messages == target) {
                        reactor.stop();
                    }
                    send(descriptor, received);
                    received = receive(descriptor);
                }
            } finally {
                Descriptors.of(handle).release();
            }
        }

        private int receive(long descriptor) {
            int capacity = memory.buffer().capacity();
            return windows == null ? (int) posix.recv((int) descriptor, memory.address(), capacity, 0)
                    : windows.recv(descriptor, memory.address(), capacity, 0);
        }

        private void send(long descriptor, int length) {
            if (windows == null) {
                posix.send((int) descriptor, memory.address(), length, SocketConstants.MSG_NOSIGNAL);
            } else {
                windows.send(descriptor, memory.address(), length, 0);
            }
        }
    }

    private EchoingReactor() {
    }

    public static void main(String[] none) throws IOException {
        try (Reactor reactor = Reactor.open(); Connection connection = Connection.unix();
                MemoryBlock nearMemory = memory(); MemoryBlock farMemory = memory()) {
            Echo near = new Echo(connection.near().handle(), nearMemory);
            near.register(reactor, Interest.READ);
            new Echo(connection.far().handle(), farMemory).register(reactor, Interest.READ);
            connection.send("a message");
            near.reactor = reactor;
            System.out.println(SmallJvm.MARK + MessageGarbage.bytesPerMessage(MESSAGES, messages -> {
                // Both ends echo.
                near.target = near.messages + messages / 2;
                reactor.run();
            }));
        }
    }

    private static MemoryBlock memory() {
        return Bindings.current().memory().allocate(64);
    }
}
