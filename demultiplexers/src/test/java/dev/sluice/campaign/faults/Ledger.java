package dev.sluice.campaign.faults;

import java.util.ArrayList;
import java.util.List;

/** What has been begun and has to end, once. All methods may be called from any thread. */
final class Ledger {

    private final List<Entry> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /** Something that has to end once. */
    final class Entry {

        private final String what;
        private int ends;
        private boolean refused;

        private Entry(String what) {
            this.what = what;
        }

        /** It is over, one way or another. */
        void end() {
            synchronized (Ledger.this) {
                ends++;
            }
        }

        /** It could not be started: the caller has received an exception. */
        void refuse() {
            synchronized (Ledger.this) {
                refused = true;
            }
        }

        boolean isOver() {
            synchronized (Ledger.this) {
                return ends > 0 || refused;
            }
        }

        @Override
        public String toString() {
            return what;
        }
    }

    synchronized Entry begin(String what) {
        Entry entry = new Entry(what);
        entries.add(entry);
        return entry;
    }

    /** Something is as it must not be. */
    synchronized void problem(String what) {
        problems.add(what);
    }

    /** Reports a failure that a hook received, unless the fault explains it. */
    void failure(Throwable cause) {
        if (!Outcome.isLegitimate(cause)) {
            problem("a hook received " + cause + at(cause));
        }
    }

    static String at(Throwable cause) {
        StringBuilder trace = new StringBuilder();
        for (Throwable each = cause; each != null; each = each.getCause()) {
            StackTraceElement[] frames = each.getStackTrace();
            for (int i = 0; i < Math.min(frames.length, 8); i++) {
                trace.append("\n        at ").append(frames[i]);
            }
        }
        return trace.toString();
    }

    /** {@return what is wrong, now that all is over} */
    synchronized List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        for (Entry entry : entries) {
            if (entry.refused ? entry.ends != 0 : entry.ends != 1) {
                all.add(entry + " ended " + entry.ends + " times" + (entry.refused ? " although refused" : ""));
            }
        }
        return all;
    }
}
