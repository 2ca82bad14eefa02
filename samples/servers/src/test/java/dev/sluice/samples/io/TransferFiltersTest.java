package dev.sluice.samples.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.samples.Patience;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag(Depth.IN_QUICK)
class TransferFiltersTest {

    private static final int MUCH = 1_000_000;

    /** Answers each request with the interim reply, as a message like others. */
    private static final class Answering extends ProtocolHandler {

        private final Reply reply;

        Answering(TransferFilters filters) {
            this(filters, new Reply());
        }

        private Answering(TransferFilters filters, Reply reply) {
            super(new Timeouts(1, 1), new FileTraffic(FileWays.of(FileIo.READ)), filters, reply);
            this.reply = reply;
        }

        @Override
        public String requestLine() {
            return "any";
        }

        @Override
        public int outcome() {
            return 200;
        }

        @Override
        protected void take(ByteBuffer in) {
            in.position(in.limit());
            reply.continueRequest();
            startSending();
        }

        @Override
        protected void messageSent() {
            transferEnded();
            endMessage();
            receive(1);
        }

        @Override
        protected boolean refuseLate() {
            return false;
        }

        @Override
        protected void closed() {
            endMessage();
        }

        void adopt(TransferFilters next) {
            adopt(timeouts(), new FileTraffic(FileWays.of(FileIo.READ)), next);
        }

        /** {@return how much of it may go at once} */
        int answer() throws IOException {
            received(ByteBuffer.allocate(1));
            int share = transmission().throttle().share(MUCH);
            transmission().head().position(transmission().head().limit());
            sent();
            return share;
        }

        /** {@return whether the end of its last message waits for the end of the output} */
        boolean corks(SocketStream peer) throws IOException {
            sendsTo(peer);
            reply.continueRequest();
            startSendingLast();
            return peer.getOption(NativeSocketOptions.TCP_CORK);
        }
    }

    @ParameterizedTest
    @CsvSource({"5000,5000,500", "5000,70000,500", "70000,5000,500"})
    void theLowestRateHolds(long first, long second, int share) throws IOException {
        Answering handler = new Answering(new TransferFilters(List.of(new Throttling(first), new Logging(),
                new Throttling(second))));
        assertEquals(share, handler.answer());
        assertEquals(share, handler.answer());
    }

    @Test
    void aRateHoldsAsLongAsItsFilterIsThere() throws IOException {
        Answering handler = new Answering(TransferFilters.NONE);
        assertEquals(MUCH, handler.answer());
        handler.adopt(new TransferFilters(List.of(new Throttling(5_000))));
        assertEquals(500, handler.answer());
        handler.adopt(TransferFilters.NONE);
        assertEquals(MUCH, handler.answer());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void lastMessageIsCorkedUnlessARateHolds() throws IOException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketStream peer = SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT)) {
            assertFalse(new Answering(new TransferFilters(List.of(new Throttling(5_000)))).corks(peer));
            assertTrue(new Answering(TransferFilters.NONE).corks(peer));
        }
    }

    @Test
    void eachSeesEachMessageInTheOrderOfTheStack() throws IOException {
        List<String> seen = new ArrayList<>();
        Answering handler = new Answering(new TransferFilters(List.of(seeing("one", seen), seeing("other", seen))));
        handler.answer();
        handler.answer();
        List<String> once = List.of("one begins", "other begins", "one ended", "other ended");
        List<String> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertEquals(twice, seen);
    }

    private static TransferFilter seeing(String name, List<String> seen) {
        return new TransferFilter() {
            @Override
            public void begins(Transfer transfer) {
                seen.add(name + " begins");
            }

            @Override
            public void ended(Transfer transfer) {
                seen.add(name + " ended");
            }
        };
    }
}
