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

    /** {@return the kind for most tests: Unix domain sockets, if the system has them, which not every Windows has} */
    static StreamKind fastest() {
        return CalledSystem.isWindows() ? TCP : UNIX;
    }

    private static final boolean HAS_UNIX = hasUnix();

    /** {@return the kinds that the system has: Wine and some versions of Windows do not have Unix domain sockets} */
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

    /** {@return an acceptor; if it needs a path, that is in the directory, and the caller deletes it} */
    abstract SocketAcceptor listen(Path directory) throws IOException;
}
