package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/**
 * Continues a conversation in the thread of a leader/followers pool that has found its socket ready. Accepted by an
 * acceptor whose dispatchers are {@link HandleSetSource}s.
 */
final class PooledConnection extends ReadinessConnection {

    private final Promotion promotion;
    private final Admission admission;
    /** The time at which the socket was found ready, by {@link System#nanoTime()}, while it is postponed. */
    private long readySince;
    private boolean left;

    /**
     * Creates a connection that any thread of the pool may serve.
     *
     * @param conversations creates its conversation
     * @param open          the open connections of a handle set, to which this is added while it is open
     * @param promotion     who promotes a new leader before a step is taken
     * @param admission decides whether a thread may take a step
     */
    PooledConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open, Promotion promotion,
                     Admission admission) {
        super(conversations, open);
        this.promotion = promotion;
        this.admission = admission;
    }

    @Override
    protected Registration register() throws IOException {
        // Other dispatchers do not support promotion.
        HandleSetSource handleSet = (HandleSetSource) dispatcher();
        return handleSet.register(handle(), Interest.READ, this, promotion);
    }

    @Override
    void begin() {
        registration().interest(firstInterest());
    }

    @Override
    void ready() throws IOException {
        if (!left) {
            readySince = System.nanoTime();
        }
        left = !admission.begin(registration(), left, readySince);
        if (!left) {
            try {
                runQuantum(readySince);
            } finally {
                admission.end();
            }
        }
    }

    @Override
    public void handleClose(Registration registration) {
        closePeer();
        admission.resume();
        endConversation();
        handOnIfLeaving();
    }
}
