package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;

/** Sends and receives the byte of urgent data (TCP only) by system calls: the library has no method for it. */
public final class UrgentByte {

    private UrgentByte() {
    }

    /** Sends an urgent byte, which triggers the peer's exception event. */
    public static void send(SocketStream stream, byte value) throws IOException {
        try (MemoryBlock memory = Bindings.current().memory().allocate(1)) {
            memory.buffer().put(0, value);
            long result = call(stream, memory, true);
            if (result != 1) {
                throw new IOException("send " + stream + ": " + result);
            }
        }
    }

    /** {@return the received urgent byte, or -1 if there is none} */
    public static int receive(SocketStream stream) throws IOException {
        try (MemoryBlock memory = Bindings.current().memory().allocate(1)) {
            long result = call(stream, memory, false);
            if (result == 1) {
                return memory.buffer().get(0) & 0xff;
            }
            if (result == 0 || Errno.EAGAIN.is(result) || Errno.EINVAL.is(result)) {
                return -1;
            }
            throw new SystemCallException("recv", stream.handle(), result);
        }
    }

    private static long call(SocketStream stream, MemoryBlock memory, boolean sends) throws IOException {
        Binding binding = Bindings.current();
        long descriptor = Descriptors.of(stream.handle()).acquire();
        try {
            if (CalledSystem.isWindows()) {
                Windows windows = binding.windows();
                return WindowsError.toErrno(sends
                        ? windows.send(descriptor, memory.address(), 1, WinsockConstants.MSG_OOB)
                        : windows.recv(descriptor, memory.address(), 1, WinsockConstants.MSG_OOB));
            }
            return sends ? binding.posix().send((int) descriptor, memory.address(), 1,
                    SocketConstants.MSG_NOSIGNAL | SocketConstants.MSG_OOB)
                    : binding.posix().recv((int) descriptor, memory.address(), 1, SocketConstants.MSG_OOB);
        } finally {
            Descriptors.of(stream.handle()).release();
        }
    }
}
