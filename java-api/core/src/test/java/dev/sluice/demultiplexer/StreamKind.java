package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** The families of stream sockets. */
enum StreamKind {
    TCP {
        @Override
        StreamPair connect() throws IOException {
            return StreamPair.tcp();
        }

        @Override
        SocketAcceptor listen(Path directory) throws IOException {
            return SocketAcceptor.open(StreamPair.loopback());
        }
    },
    UNIX {
        @Override
        StreamPair connect() throws IOException {
            return StreamPair.unix();
        }

        @Override
        SocketAcceptor listen(Path directory) throws IOException {
            return StreamPair.listen(directory.resolve("acceptor"));
        }
    };

    /** {@return the one that most tests are content with: Unix domain sockets, but not every Windows has these} */
    static StreamKind fastest() {
        return CalledSystem.isWindows() ? TCP : UNIX;
    }

    private static final boolean HAS_UNIX = hasUnix();

    /** {@return those that the system has: no Wine, and not every Windows, has Unix domain sockets} */
    static Stream<StreamKind> here() {
        return Arrays.stream(values()).filter(kind -> kind != UNIX || HAS_UNIX);
    }

    private static boolean hasUnix() {
        if (!CalledSystem.isWindows()) {
            return true;
        }
        try {
            StreamPair.unix().close();
            return true;
        } catch (SystemCallException e) {
            assertEquals("EAFNOSUPPORT", e.errorName());
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    abstract StreamPair connect() throws IOException;

    /** {@return an acceptor; a directory is needed for a path that is left to the caller to delete} */
    abstract SocketAcceptor listen(Path directory) throws IOException;
}
