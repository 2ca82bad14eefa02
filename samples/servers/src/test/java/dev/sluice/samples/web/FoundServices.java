package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.samples.web.protocol.RequestService;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Services that ServiceLoader finds in the tests. Each answers requests for a path with its mark. */
public final class FoundServices {

    /** The hooks that have been called, such as {@code init one 1}. */
    static final List<String> CALLED = new CopyOnWriteArrayList<>();

    private FoundServices() {
    }

    /** Fails in the hooks that the option {@code fails} names. */
    private abstract static class Marked implements RequestService {

        private final String name;
        private final AtomicInteger requests = new AtomicInteger();
        private String path;
        private String mark;
        private String fails;
        private volatile boolean ended;

        Marked(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void init(Map<String, String> options) {
            path = options.getOrDefault("path", "/" + name);
            mark = options.getOrDefault("mark", "0");
            fails = options.getOrDefault("fails", "never");
            called("init");
        }

        private void called(String hook) {
            if (fails.contains(hook)) {
                throw new IllegalStateException(hook + " of " + name);
            }
            CALLED.add(hook + " " + name + " " + mark);
        }

        @Override
        public void suspend() {
            called("suspend");
        }

        @Override
        public void resume() {
            called("resume");
        }

        @Override
        public void fini() {
            ended = true;
            called("fini");
        }

        @Override
        public String info() {
            return path + " " + requests;
        }

        @Override
        public boolean admit(Request request, Reply reply) {
            if (!path.equals(request.path())) {
                return true;
            }
            if (ended || fails.contains("admit")) {
                throw new IllegalStateException("admit of " + name);
            }
            requests.incrementAndGet();
            reply.answer("text/plain", mark.getBytes(StandardCharsets.US_ASCII));
            return false;
        }
    }

    /** The first. */
    public static final class One extends Marked {

        /** For ServiceLoader. */
        public One() {
            super("one");
        }
    }

    /** The second. */
    public static final class Other extends Marked {

        /** For ServiceLoader. */
        public Other() {
            super("other");
        }
    }
}
