package dev.sluice.demultiplexer;

import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;

/** What bytes travel over. */
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

    /** {@return those that the system has} */
    static Stream<Transport> here() {
        return Arrays.stream(values()).filter(it -> it != UNIX || StreamKind.here().anyMatch(StreamKind.UNIX::equals));
    }

    /** {@return one that goes both ways, as fast as the system has it} */
    static Transport bothWays() {
        return CalledSystem.isWindows() ? TCP : UNIX;
    }
}
