package dev.sluice.demultiplexer;

import dev.sluice.handle.SocketAcceptor;
import java.io.IOException;
import java.nio.file.Path;

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

    abstract StreamPair connect() throws IOException;

    /** {@return an acceptor; a directory is needed for a path that is left to the caller to delete} */
    abstract SocketAcceptor listen(Path directory) throws IOException;
}
