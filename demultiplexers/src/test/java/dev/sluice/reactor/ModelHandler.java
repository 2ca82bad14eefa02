package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketStream;
import dev.sluice.timer.TimeoutHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * What the model knows of one connection's registration, and the handler that serves it. All of it belongs to the loop
 * thread. Asks for no more of an event than there is to do: a hook that finds the end, or nothing to send, takes back
 * its event, so that in the end all is silent.
 */
final class ModelHandler extends OneHandleHandler implements TimeoutHandler {

    /** How much the hooks take at once where they need not take all; as many as there are lines. */
    private static final int[] PIECES = {100, 5_000, 64 * 1024};
    /** So that what one end sends differs from what the other sends. */
    private static final int NEAR = 101;

    final Connection connection;
    final RecordingPeer far;
    private final ModelScene scene;
    private final Reactor reactor;
    private final SocketStream near;
    private final int number;
    private final boolean drains;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    private int registrations;
    private int closes;
    /** Which registration a hook has ended by what it threw. */
    private int thrown;
    private int failures;
    private int events;
    private boolean active;
    private int sent;
    private int toSend;
    private boolean sendFails;

    // A change that another thread has asked for: it may have been made, or not yet.
    private boolean changing;
    private boolean registering;
    private boolean stale;
    private int failuresBefore;
    private int closesBefore;
    private int eventsToBe;
    private int toTakeBack;

    ModelHandler(ModelScene scene, Reactor reactor, int number, Connection connection) {
        this.scene = scene;
        this.reactor = reactor;
        this.number = number;
        this.connection = connection;
        near = connection.near();
        far = new RecordingPeer(number, connection.far());
        drains = number % 2 == 0;
    }

    @Override
    public boolean drains() {
        return drains;
    }

    @Override
    public Handle handle() {
        return near.handle();
    }

    boolean isInModel() {
        return registrations > closes;
    }

    /**
     * {@return whether a change of another thread is in progress} The result of a second change could not be predicted.
     */
    boolean isChanging() {
        return changing;
    }

    /** Whether the reactor has told all that it has to, and all hooks have done what there was to do. */
    boolean isQuiet() {
        boolean reading = isAskedFor(EventType.READ);
        return !changing && closes >= thrown && !(far.isNearClosed() && isInModel())
                && !isAskedFor(EventType.WRITE)
                && !(reading && (far.isEnded() || received.size() < far.sentCount()))
                && !(far.isWhole() && far.receivedCount() < sent);
    }

    private boolean isAskedFor(int event) {
        return isInModel() && active && (events & event) != 0;
    }

    // Changes. By the loop thread they are made at once; another thread's lie between two tasks, since tasks and
    // changes of other threads come in order.

    void change(Step step) throws IOException {
        if (reactor.inEventLoop()) {
            if (!changing && step.action() == Step.Action.REMOVE) {
                remove(step);
            } else if (!changing) {
                expect(step, registration());
                request(step, registration());
                apply(step);
            }
        } else {
            Registration known = registration();
            reactor.execute(() -> expect(step, known));
            if (step.registers()) {
                // Whether it adds to a registration or makes one, only the loop thread can say.
                reactor.execute(() -> requestInLoop(step));
            } else {
                request(step, known);
            }
            reactor.execute(() -> apply(step));
        }
    }

    private void requestInLoop(Step step) {
        try {
            request(step, registration());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one change that calls a hook, which may run the loop, and so other threads' changes within this one. */
    private void remove(Step step) throws IOException {
        int before = closes;
        boolean expected = isInModel() && !far.isNearClosed();
        request(step, registration());
        far.require(!expected || closes > before, "is registered still");
    }

    private void expect(Step step, Registration known) {
        changing = true;
        // What is asked of a registration that has ended since changes nothing.
        stale = !step.registers() && known != registration();
        failuresBefore = failures;
        closesBefore = closes;
        registering = !isInModel() && step.registers();
        eventsToBe = switch (step.action()) {
            case REGISTER -> (isInModel() ? events : 0) | step.events();
            case SEND -> (isInModel() ? events : 0) | EventType.WRITE;
            case CHANGE -> stale ? events : step.events();
            case REMOVE -> stale ? events : 0;
            default -> events;
        };
        if (step.action() == Step.Action.SEND) {
            toSend += step.number();
        }
    }

    private void request(Step step, Registration known) throws IOException {
        if (known == null && !step.registers()) {
            return;
        }
        switch (step.action()) {
            case REGISTER -> register(step.events());
            case SEND -> register(EventType.WRITE);
            case CHANGE -> known.interest(EventType.interest(step.events()));
            case REMOVE -> known.close();
            case DEACTIVATE -> known.pause();
            case REACTIVATE -> known.resume();
            default -> throw new IllegalArgumentException(step.toString());
        }
    }

    private void register(int more) throws IOException {
        try {
            Interest wanted = EventType.interest(more);
            if (isInModel()) {
                registration().interest(registration().interest().plus(wanted));
            } else {
                if (!registering) {
                    // The loop thread has ended the registration that this was to change.
                    closesBefore = closes;
                    eventsToBe = more;
                    registering = true;
                }
                register(reactor, wanted);
            }
        } catch (HandleClosedException e) {
            far.require(far.isNearClosed(), "cannot be registered: " + e);
            failures++;
        }
    }

    private void apply(Step step) {
        boolean ended = closes > closesBefore;
        boolean failed = failures > failuresBefore;
        if (registering && !ended && !failed) {
            registrations++;
            active = true;
        }
        if (isInModel() && !ended && !failed && !stale) {
            switch (step.action()) {
                case DEACTIVATE -> active = false;
                case REACTIVATE -> active = true;
                // Of a closed handle nothing changes any more but that its registration ends.
                case REMOVE -> far.require(far.isNearClosed(), "is registered still");
                default -> { }
            }
            events = eventsToBe;
        }
        registering = false;
        changing = false;
        int late = toTakeBack;
        toTakeBack = 0;
        takeBack(late);
    }

    private void takeBack(int done) {
        if (changing) {
            toTakeBack |= done;
        } else if (isInModel() && (events & done) != 0) {
            events &= ~done;
            registration().interest(EventType.interest(events));
        }
    }

    // Hooks

    private void enter(int event, Handle ready) {
        scene.requireLoopThread(this);
        far.require(ready == handle(), "is called for " + ready);
        boolean now = isInModel() && active && (events & event) != 0;
        // Not asked for any more, or already, by another thread's change.
        boolean soon = changing && (isInModel() || registering) && ((events | eventsToBe) & event) != 0;
        far.require(now || soon, "is called for " + EventType.toString(event) + ", and has asked for "
                + EventType.toString(events) + (active ? "" : ", silenced") + (isInModel() ? "" : ", removed"));
    }

    /** Which registration it is that ends if the hook throws. */
    private int current() {
        return isInModel() ? registrations : registrations + 1;
    }

    private interface Work {
        void perform() throws IOException;
    }

    private void serve(int event, Handle ready, Work work) throws Exception {
        enter(event, ready);
        int mine = current();
        try {
            scene.inHook();
        } catch (Provoked.ByException | Provoked.ByError e) {
            thrown = Math.max(thrown, mine);
            throw e;
        }
        try {
            work.perform();
        } catch (HandleClosedException e) {
            far.require(far.isNearClosed(), "finds a closed handle: " + e);
        }
    }

    @Override
    public void handleInput(Registration registration) throws Exception {
        serve(EventType.READ, registration.handle(), this::receive);
    }

    private void receive() throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECES[number]);
        int count;
        do {
            try {
                count = near.receive(piece.clear());
            } catch (HandleClosedException e) {
                throw e;
            } catch (IOException e) {
                far.require(far.isClosed(), "cannot receive: " + e);
                takeBack(EventType.READ);
                return;
            }
            received.write(piece.array(), 0, Math.max(0, count));
        } while (drains && count > 0);
        if (count < 0) {
            far.require(far.isEnded(), "sees an unexpected end of the stream");
            takeBack(EventType.READ);
        }
    }

    @Override
    public void handleOutput(Registration registration) throws Exception {
        serve(EventType.WRITE, registration.handle(), this::send);
    }

    private void send() throws IOException {
        int count = 1;
        while (toSend > 0 && count > 0) {
            ByteBuffer piece = RecordingPeer.bytes(NEAR + number, sent, Math.min(toSend, PIECES[number]));
            try {
                count = near.send(piece);
            } catch (HandleClosedException e) {
                throw e;
            } catch (IOException e) {
                far.require(far.isClosed(), "cannot send: " + e);
                sendFails = true;
                toSend = 0;
                break;
            }
            sent += count;
            toSend -= count;
            if (!drains) {
                break;
            }
        }
        if (toSend == 0) {
            takeBack(EventType.WRITE);
        }
    }

    @Override
    public void handleException(Registration registration) throws Exception {
        serve(EventType.EXCEPTION, registration.handle(), () -> takeBack(EventType.EXCEPTION));
    }

    @Override
    public void handleTimeout(Object token) throws Exception {
        scene.requireLoopThread(this);
        scene.expired();
        scene.inHook();
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        if (cause instanceof HandleClosedException && far.isNearClosed()) {
            failures++;
        } else if (!Provoked.is(cause)) {
            scene.fail(cause);
        }
    }

    @Override
    public void handleClose(Registration registration) throws Exception {
        scene.requireLoopThread(this);
        if (registering && !isInModel()) {
            registrations++;
            registering = false;
        }
        far.require(isInModel(), "is closed once more");
        far.require(changing || far.isNearClosed() || EventType.of(registration.interest()) == events,
                "was registered for "
                + registration.interest() + " instead of " + EventType.toString(events));
        closes++;
        events = 0;
        scene.inHook();
    }

    // In the end

    /** Asks for all there may be left. */
    void askForTheRest() throws IOException {
        if (!far.isNearClosed()) {
            change(new Step(Step.Action.REGISTER, Step.Place.OUTSIDE, number, 0, EventType.READ | EventType.WRITE));
            change(new Step(Step.Action.REACTIVATE, Step.Place.OUTSIDE, number, 0, 0));
        }
    }

    /** All bytes in order and once. */
    void checkBytes() {
        byte[] bytes = received.toByteArray();
        far.requirePrefix(far.sent(), bytes, "received");
        far.requirePrefix(RecordingPeer.bytes(NEAR + number, 0, sent).array(), far.received(), "sent");
        if (far.isWhole() && reactor.isOpen()) {
            far.require(bytes.length == far.sentCount(), "received " + bytes.length + " of " + far.sentCount());
            far.require(toSend == 0 && !sendFails && far.receivedCount() == sent, "the peer got "
                    + far.receivedCount() + " of " + sent + ", and " + toSend + " are left");
        }
    }

    @Override
    public String toString() {
        return far + ", registered " + registrations + " times, closed " + closes + " times, for "
                + EventType.toString(events) + (active ? "" : ", silenced") + ", " + received.size() + " of "
                + far.sentCount() + " bytes received, " + far.receivedCount() + " of " + sent + " arrived, "
                + toSend + " to send";
    }
}
