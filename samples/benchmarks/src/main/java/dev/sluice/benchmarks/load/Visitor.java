package dev.sluice.benchmarks.load;

import java.io.IOException;

/** Asks a web server for one page, on a connection of its own. */
final class Visitor extends PageConnection {

    private final VisitsRun run;
    private final int user;
    private final long due;
    private boolean left;

    /**
     * Creates a visitor that has not come.
     *
     * @param run  the run
     * @param user the number of its user
     * @param due  when it wants its page, by {@link System#nanoTime()}
     */
    Visitor(VisitsRun run, int user, long due) {
        super(run);
        this.run = run;
        this.user = user;
        this.due = due;
    }

    long due() {
        return due;
    }

    boolean hasLeft() {
        return left;
    }

    /** Connects. */
    void come() throws IOException {
        request(run.page());
    }

    @Override
    boolean isWaiting() {
        return !left;
    }

    @Override
    void answered() {
        if (reply().status() == WebReply.OK) {
            run.tally().served(user, System.nanoTime() - due);
        } else {
            run.tally().refused();
        }
        leave();
    }

    @Override
    void lost() {
        losePatience();
    }

    /** Leaves without a page, unless it has left. */
    void losePatience() {
        if (!left) {
            run.tally().lostPatience();
            leave();
        }
    }

    /** Closes its connection. */
    void leave() {
        left = true;
        disconnect();
    }

    @Override
    public String toString() {
        return "visitor of user " + user;
    }
}
