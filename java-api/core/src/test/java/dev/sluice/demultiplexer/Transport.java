package dev.sluice.demultiplexer;

import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;

/** The kinds of transport for bytes. */
enum Transport {
    /** Connected TCP sockets. */
    TCP {
        @Override
        OneWayTransport open() throws IOException {
            return OneWayTransport.of(StreamPair.tcp());
        }
    },
    /** Connected Unix domain stream sockets. */
    UNIX {
        @Override
        OneWayTransport open() throws IOException {
            return OneWayTransport.of(StreamPair.unix());
        }
    },
    /** Datagram sockets. */
    UDP {
        @Override
        OneWayTransport open() throws IOException {
            return OneWayTransport.udp();
        }
    },
    /** The ends of a pipe. */
    PIPE {
        @Override
        OneWayTransport open() throws IOException {
            return OneWayTransport.of(Pipe.open());
        }
    };

    abstract OneWayTransport open() throws IOException;

    /** {@return the transports that the system has} */
    static Stream<Transport> here() {
        return Arrays.stream(values()).filter(it -> it != UNIX || StreamKind.here().anyMatch(StreamKind.UNIX::equals));
    }

    /** {@return the fastest bidirectional transport of the system} */
    static Transport bothWays() {
        return CalledSystem.isWindows() ? TCP : UNIX;
    }
}
