package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections and files that a hook does not take out of their completion, and those that it takes before it fails. */
class UntakenResourceTest extends ProactorContract {

    /** What a hook does with a completion that brings something. */
    private enum Hook {

        RETURNS,

        THROWS {
            @Override
            void call() throws IOException {
                throw new IOException("thrown by the test");
            }
        },

        THROWS_AN_ERROR {
            @Override
            void call() {
                Throw.LINKAGE.run();
            }
        };

        void call() throws IOException {
        }
    }

    /** Does what the test wants, and closes nothing when it has failed. */
    private static final class Careless implements CompletionHandler {

        private final CompletionRecorder.Reaction reaction;
        private int calls;

        Careless(CompletionRecorder.Reaction reaction) {
            this.reaction = reaction;
        }

        @Override
        public void handleCompletion(Completion completion) throws Exception {
            if (completion.isSuccess()) {
                calls++;
                reaction.to(completion);
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            // It is wanted, and the acceptor is to stay open.
        }
    }

    @TempDir
    Path directory;

    private SocketAcceptor acceptor;

    @BeforeEach
    void listen() throws IOException {
        acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    private SocketStream connect() throws IOException {
        return own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
    }

    private static void assertEnded(SocketStream stream) throws IOException {
        assertFalse(stream.receiveFully(ByteBuffer.allocate(1), LIMIT), "a byte instead of the end");
    }

    @ParameterizedTest
    @EnumSource
    void anAcceptedConnectionIsClosed(Hook hook) throws Exception {
        Careless handler = new Careless(completion -> hook.call());
        new AsyncAcceptor(proactor, acceptor, handler).accept(null);
        SocketStream client = connect();
        runUntil(() -> handler.calls == 1);
        assertEnded(client);
    }

    @ParameterizedTest
    @EnumSource
    void continuouslyAcceptedConnectionsAreClosed(Hook hook) throws Exception {
        Careless handler = new Careless(completion -> hook.call());
        new AsyncAcceptor(proactor, acceptor, handler).acceptContinuously(null);
        List<SocketStream> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(connect());
        }
        runUntil(() -> handler.calls == 3);
        for (SocketStream client : clients) {
            assertEnded(client);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatWasMadeIsClosed(Hook hook) throws Exception {
        Careless handler = new Careless(completion -> hook.call());
        proactor.connect(handler, null, acceptor.localAddress(), LIMIT);
        runUntil(() -> handler.calls == 1);
        assertEnded(own(acceptor.accept(LIMIT)));
    }

    @ParameterizedTest
    @EnumSource
    void anOpenedFileIsClosed(Hook hook) throws Exception {
        Careless handler = new Careless(completion -> hook.call());
        proactor.openFile(handler, null, directory.resolve("file"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        runUntil(() -> handler.calls == 1);
    }

    /** A handler that takes a resource owns it, and may have passed it on. */
    @Test
    void whatWasTakenStaysOpen() throws Exception {
        List<Handle> taken = new ArrayList<>();
        Careless handler = new Careless(completion -> {
            SocketStream stream = completion.stream();
            if (stream != null) {
                taken.add(own(stream).handle());
            }
            FileHandle file = completion.file();
            if (file != null) {
                taken.add(own(file).handle());
            }
            throw new IOException("thrown by the test");
        });
        new AsyncAcceptor(proactor, acceptor, handler).accept(null);
        proactor.connect(handler, null, acceptor.localAddress(), LIMIT);
        proactor.openFile(handler, null, directory.resolve("file"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        runUntil(() -> handler.calls == 3);
        taken.forEach(handle -> assertTrue(handle.isOpen(), handle::toString));
    }

    /** What does not take them all when it dispatches, and then runs the loop itself. */
    @Test
    void aNestedRunDoesNotCloseWhatTheOuterHookTakesLater() throws Exception {
        List<SocketStream> taken = new ArrayList<>();
        Careless handler = new Careless(completion -> {
            proactor.runOnce(Duration.ZERO);
            taken.add(own(completion.stream()));
        });
        new AsyncAcceptor(proactor, acceptor, handler).acceptContinuously(null);
        for (int i = 0; i < 3; i++) {
            connect();
        }
        runUntil(() -> handler.calls == 3);
        taken.forEach(stream -> assertTrue(stream.handle().isOpen(), stream::toString));
    }
}
