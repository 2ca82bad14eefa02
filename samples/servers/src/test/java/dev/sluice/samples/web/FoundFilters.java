package dev.sluice.samples.web;

import dev.sluice.samples.io.Transfer;
import dev.sluice.samples.io.TransferFilter;
import dev.sluice.samples.io.TransferFilterProvider;
import dev.sluice.samples.web.protocol.Filter;
import dev.sluice.samples.web.protocol.FilterPosition;
import dev.sluice.samples.web.protocol.FilterProvider;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.samples.web.protocol.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Filters that ServiceLoader finds in the tests. */
public final class FoundFilters {

    /** What those with a position have seen, such as {@code BEFORE_RANGES 304}. */
    static final List<String> SEEN = new CopyOnWriteArrayList<>();

    private FoundFilters() {
    }

    /** One that notes what it sees. */
    private abstract static class Noting implements FilterProvider {

        private final String name;
        private final FilterPosition position;

        Noting(String name, FilterPosition position) {
            this.name = name;
            this.position = position;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FilterPosition position() {
            return position;
        }

        @Override
        public Filter filter() {
            return (request, reply) -> SEEN.add(position + " " + reply.status().code());
        }
    }

    /** Before conditions. */
    public static final class Before extends Noting {

        /** For ServiceLoader. */
        public Before() {
            super("before", FilterPosition.BEFORE_CONDITIONS);
        }
    }

    /** Between conditions and ranges. */
    public static final class Middle extends Noting {

        /** For ServiceLoader. */
        public Middle() {
            super("middle", FilterPosition.BEFORE_RANGES);
        }
    }

    /** After ranges. */
    public static final class After extends Noting {

        /** For ServiceLoader. */
        public After() {
            super("after", FilterPosition.AFTER_RANGES);
        }
    }

    /** Returns no position. */
    public static final class Nowhere extends Noting {

        /** For ServiceLoader. */
        public Nowhere() {
            super("nowhere", null);
        }
    }

    /** Answers some requests itself, and fails at others. */
    public static final class Gate implements FilterProvider {

        @Override
        public String name() {
            return "gate";
        }

        @Override
        public FilterPosition position() {
            return FilterPosition.AFTER_RANGES;
        }

        @Override
        public Filter filter() {
            return new Filter() {
                @Override
                public boolean admit(Request request, Reply reply) {
                    if (request.path().equals("/early")) {
                        throw new IllegalStateException("early");
                    }
                    boolean closed = request.path().equals("/closed");
                    if (closed) {
                        reply.answer(Status.FORBIDDEN);
                    }
                    return !closed;
                }

                @Override
                public void apply(Request request, Reply reply) {
                    if (request.path().equals("/late")) {
                        throw new StackOverflowError("late");
                    }
                }
            };
        }
    }

    /** Cannot be made. */
    public static final class Unmade implements FilterProvider {

        @Override
        public String name() {
            return "unmade";
        }

        @Override
        public FilterPosition position() {
            return FilterPosition.AFTER_RANGES;
        }

        @Override
        public Filter filter() {
            throw new IllegalArgumentException("not today");
        }
    }

    /** Fails when a message is about to be sent. */
    public static final class Cut implements TransferFilterProvider {

        @Override
        public String name() {
            return "cut";
        }

        @Override
        public TransferFilter filter() {
            return new TransferFilter() {
                @Override
                public void begins(Transfer transfer) {
                    if (transfer.requestLine().contains("cut")) {
                        throw new IllegalStateException("cut");
                    }
                }
            };
        }
    }
}
