package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.testing.Depth;
import java.net.StandardProtocolFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All descriptors are closed on exec, and only files block. */
@Tag(Depth.IN_QUICK)
@Tag(CalledSystem.NOT_WINDOWS)
class DescriptorFlagsTest extends LeakChecked {

    @TempDir
    Path directory;

    @Test
    void socketsAndPipes() throws Exception {
        for (Transport transport : new Transport[] {Transport.TCP4, Transport.UNIX}) {
            SocketAcceptor acceptor = own(transport.acceptor(directory));
            StreamPair pair = own(transport.connect(acceptor));
            assertFlags(true, acceptor.handle());
            assertFlags(true, pair.client().handle());
            assertFlags(true, pair.server().handle());
        }
        assertFlags(true, own(SocketDatagram.unbound(StandardProtocolFamily.INET)).handle());
        Pipe pipe = own(Pipe.open());
        assertFlags(true, pipe.source());
        assertFlags(true, pipe.sink());
    }

    @Test
    void files() throws Exception {
        assertFlags(false, own(FileHandle.open(Files.createFile(directory.resolve("file")))).handle());
    }

    private static void assertFlags(boolean nonBlocking, Handle handle) throws Exception {
        Posix posix = Bindings.current().posix();
        int descriptor = (int) Descriptors.of(handle).acquire();
        try {
            int status = posix.fcntl(descriptor, FileConstants.F_GETFL, 0);
            assertEquals(nonBlocking, (status & FileConstants.O_NONBLOCK) != 0, handle + " does not block");
            int flags = posix.fcntl(descriptor, FileConstants.F_GETFD, 0);
            assertEquals(FileConstants.FD_CLOEXEC, flags & FileConstants.FD_CLOEXEC, handle + " is closed by exec");
        } finally {
            Descriptors.of(handle).release();
        }
    }
}
