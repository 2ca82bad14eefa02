package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.samples.web.protocol.RequestService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Services that ServiceLoader finds in the tests. Each answers requests for a path with its mark. */
public final class FoundServices {

    /** The hooks that have been called, such as {@code init one 1}. */
    static final List<String> CALLED = new CopyOnWriteArrayList<>();
    /** A permit for each hook that blocks and may return. */
    static final Semaphore RELEASED = new Semaphore(0);

    private FoundServices() {
    }

    /**
     * Fails in the hooks that the option {@code fails} names, by an error in those that {@code errs} names, and waits
     * in those that {@code blocks} names. With {@code asks}, {@link #init} sends a command to a control address.
     */
    private abstract static class Marked implements RequestService {

        private final String name;
        private final AtomicInteger requests = new AtomicInteger();
        private String path;
        private String mark;
        private Map<String, String> options = Map.of();
        private volatile boolean ended;

        Marked(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void init(Map<String, String> given) throws IOException {
            options = given;
            path = options.getOrDefault("path", "/" + name);
            mark = options.getOrDefault("mark", "0");
            if (options.containsKey("asks")) {
                new ControlClient(new InetSocketAddress(InetAddress.getLoopbackAddress(),
                        Integer.parseInt(options.get("asks")))).ask("status");
            }
            called("init");
        }

        private void called(String hook) {
            if (is("fails", hook)) {
                throw new IllegalStateException(hook + " of " + name);
            } else if (is("errs", hook)) {
                throw new NoClassDefFoundError("absent/Type");
            } else if (is("blocks", hook)) {
                RELEASED.acquireUninterruptibly();
            }
            CALLED.add(hook + " " + name + " " + mark);
        }

        private boolean is(String option, String hook) {
            return options.getOrDefault(option, "never").contains(hook);
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
            if (is("fails", "info")) {
                throw new IllegalStateException("info\nof " + name);
            }
            return path + " \n" + requests;
        }

        @Override
        public boolean admit(Request request, Reply reply) {
            if (!path.equals(request.path())) {
                return true;
            }
            if (ended || is("fails", "admit")) {
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
