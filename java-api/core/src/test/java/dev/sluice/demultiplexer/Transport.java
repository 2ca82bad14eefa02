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
        Ends open() throws IOException {
            return Ends.of(StreamPair.tcp());
        }
    },
    /** Connected Unix domain stream sockets. */
    UNIX {
        @Override
        Ends open() throws IOException {
            return Ends.of(StreamPair.unix());
        }
    },
    /** Datagram sockets. */
    UDP {
        @Override
        Ends open() throws IOException {
            return Ends.udp();
        }
    },
    /** The ends of a pipe. */
    PIPE {
        @Override
        Ends open() throws IOException {
            return Ends.of(Pipe.open());
        }
    };

    abstract Ends open() throws IOException;

    /** {@return those that the system has} */
    static Stream<Transport> here() {
        return Arrays.stream(values()).filter(it -> it != UNIX || StreamKind.here().anyMatch(StreamKind.UNIX::equals));
    }

    /** {@return one that goes both ways, as fast as the system has it} */
    static Transport bothWays() {
        return CalledSystem.isWindows() ? TCP : UNIX;
    }
}
