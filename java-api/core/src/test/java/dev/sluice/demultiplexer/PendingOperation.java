package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;

/** Operations that do not complete by themselves, one of each kind for which that is possible. */
enum PendingOperation {
    ACCEPT {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            SocketAcceptor acceptor = test.own(SocketAcceptor.open(StreamPair.loopback()));
            Association where = test.associate(acceptor.handle());
            return o -> o.accept(where, acceptor);
        }
    },
    ACCEPT_CONTINUOUSLY {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            SocketAcceptor acceptor = test.own(SocketAcceptor.open(StreamPair.loopback()));
            Association where = test.associate(acceptor.handle());
            return o -> o.acceptContinuously(where, acceptor);
        }
    },
    RECEIVE {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = test.associate(test.pair(StreamKind.TCP).near());
            ByteBuffer buffer = ByteBuffer.allocateDirect(10);
            return o -> o.receive(where, buffer);
        }
    },
    RECEIVE_HEAP {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = test.associate(test.pair(StreamKind.fastest()).near());
            ByteBuffer buffer = ByteBuffer.allocate(10);
            return o -> o.receive(where, buffer);
        }
    },
    RECEIVE_SCATTERING {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = test.associate(test.pair(StreamKind.TCP).near());
            ByteBuffer[] buffers = {ByteBuffer.allocateDirect(10), ByteBuffer.allocate(10)};
            return o -> o.receive(where, buffers, 0, 2);
        }
    },
    RECEIVE_CONTINUOUSLY {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = test.associate(test.pair(StreamKind.TCP).near());
            return o -> o.receiveContinuously(where);
        }
    },
    RECEIVE_FROM {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Handle handle = test.own(SocketDatagram.open(StreamPair.loopback())).handle();
            Association where = test.associate(handle);
            ByteBuffer buffer = ByteBuffer.allocateDirect(10);
            PeerAddress sender = new PeerAddress();
            return o -> o.receiveFrom(where, buffer, sender);
        }
    },
    SEND_ALL {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = full(test);
            ByteBuffer buffer = ByteBuffer.allocateDirect(10);
            return o -> o.send(where, buffer, true);
        }
    },
    SEND_SOME {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = full(test);
            ByteBuffer buffer = ByteBuffer.allocate(10);
            return o -> o.send(where, buffer, false);
        }
    },
    SEND_GATHERING {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = full(test);
            ByteBuffer[] buffers = {ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)};
            return o -> o.send(where, buffers, 0, 2, true);
        }
    },
    TRANSMIT_FILE {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = full(test);
            FileHandle file = test.own(FileHandle.open(
                    Files.write(Files.createTempFile(test.directory, "file", null), new byte[100])));
            return o -> o.transmitFile(where, file, 0, 100, null, null);
        }
    },
    TRANSMIT_HEAD_AND_TAIL {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = full(test);
            FileHandle file = test.own(FileHandle.open(
                    Files.write(Files.createTempFile(test.directory, "file", null), new byte[100])));
            ByteBuffer head = ByteBuffer.allocate(10);
            ByteBuffer tail = ByteBuffer.allocateDirect(10);
            return o -> o.transmitFile(where, file, 0, 100, head, tail);
        }
    },
    POLL {
        @Override
        Flight.Start on(OperationContract test) throws IOException {
            Association where = test.associate(test.own(Pipe.open()).source());
            return o -> o.poll(where, EventType.READ);
        }
    };

    /** Creates the resources of the operation, which may be started repeatedly. */
    abstract Flight.Start on(OperationContract test) throws IOException;

    private static Association full(OperationContract test) throws IOException {
        StreamPair pair = test.pair(StreamKind.fastest());
        Peer.fill(pair);
        return test.associate(pair.near());
    }
}
