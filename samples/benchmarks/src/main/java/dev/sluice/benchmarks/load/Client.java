package dev.sluice.benchmarks.load;

import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.time.Duration;

/** A client of a web server: it asks, reads, thinks, and begins again, with a new connection after some requests. */
final class Client extends PageConnection implements TimeoutHandler {

    private final int number;
    private final ClientsRun run;
    private int asked;
    private boolean waits;
    private long began;
    private Page page;

    Client(int number, ClientsRun run) {
        super(run);
        this.number = number;
        this.run = run;
    }

    /** Requests a page. */
    void ask() throws IOException {
        if (run.tally().isOver()) {
            leave();
            return;
        }
        page = run.nextPage();
        began = System.nanoTime();
        waits = true;
        run.waiting(1);
        askForPage();
    }

    private void askForPage() throws IOException {
        asked = isOpen() ? asked + 1 : 1;
        request(page);
    }

    @Override
    boolean isWaiting() {
        return waits;
    }

    @Override
    void answered() throws IOException {
        long nanos = System.nanoTime() - began;
        boolean isServed = reply().status() == WebReply.OK;
        if (isServed) {
            run.tally().served(number, nanos);
        } else {
            run.tally().refused();
        }
        waits = false;
        run.waiting(-1);
        if (asked >= run.requests() || reply().closes()) {
            disconnect();
        }
        boolean isTold = !isServed && run.isObedient() && reply().retryAfter() > 0;
        think(isTold ? Duration.ofSeconds(reply().retryAfter()) : run.think());
    }

    @Override
    void lost() throws IOException {
        // A server may close an idle connection; the client then asks again, on another one.
        boolean wasIdle = asked > 1 && reply().isUntouched();
        disconnect();
        if (waits && wasIdle) {
            askForPage();
        } else if (waits) {
            run.tally().unanswered();
            waits = false;
            run.waiting(-1);
            think(run.think());
        }
    }

    private void think(Duration time) throws IOException {
        if (run.tally().isOver()) {
            leave();
        } else {
            run.reactor().schedule(this, null, time);
        }
    }

    @Override
    public void handleTimeout(Object token) throws IOException {
        ask();
    }

    /** Counts what it still waits for as unanswered, and closes its connection. */
    void leave() {
        if (waits) {
            run.tally().waitsStill(System.nanoTime() - began);
            waits = false;
            run.waiting(-1);
        }
        disconnect();
    }

    @Override
    public String toString() {
        return "client " + number;
    }
}
