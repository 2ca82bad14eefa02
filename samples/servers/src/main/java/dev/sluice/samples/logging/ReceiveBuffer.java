package dev.sluice.samples.logging;

import dev.sluice.calls.Platform;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system's buffer for datagrams that have not been received yet. UDP has no flow control: the size of the buffer
 * limits the length of a burst.
 */
final class ReceiveBuffer {

    private static final Logger LOG = LoggerFactory.getLogger(ReceiveBuffer.class);
    private static final boolean ON_LINUX = Platform.CURRENT.os() == Platform.Os.LINUX;

    private ReceiveBuffer() {
    }

    /** Asks the system for the size, and warns if it grants less. */
    static void size(SocketDatagram socket, int bytes) throws IOException {
        try {
            socket.setOption(NativeSocketOptions.SO_RCVBUF, bytes);
        } catch (SystemCallException e) {
            // Above its limit macOS and FreeBSD refuse it all, and leave what there was.
            LOG.warn("bursts of datagrams may be lost: {} (kern.ipc.maxsockbuf limits it)", e.getMessage());
            return;
        }
        // Linux reports twice what it grants, for what it keeps with each datagram (socket(7)).
        int granted = socket.getOption(NativeSocketOptions.SO_RCVBUF) / (ON_LINUX ? 2 : 1);
        if (granted < bytes) {
            LOG.warn("bursts of datagrams may be lost: the system grants a receive buffer of {} bytes instead of {}{}",
                    granted, bytes, ON_LINUX ? " (net.core.rmem_max limits it: sysctl)" : "");
        }
    }
}
