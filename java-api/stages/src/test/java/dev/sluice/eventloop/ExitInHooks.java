package dev.sluice.eventloop;

import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.failure.ShutdownWait;
import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.Proactors;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.stages.Decision;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.StageController;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StageSample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program whose hooks all call {@link System#exit}, at the same time and in a thread each, and whose shutdown hook
 * closes what they are inside of.
 */
final class ExitInHooks {

    /** What the hook is inside of. */
    private enum Kind {
        REACTOR {
            @Override
            AutoCloseable begin() throws IOException {
                Reactor reactor = Reactor.open();
                reactor.execute(ExitInHooks::exit);
                start(reactor::run);
                return reactor;
            }
        },
        SHARED_REACTOR {
            @Override
            AutoCloseable begin() throws IOException {
                Reactor reactor = Reactor.open(CONCURRENT);
                reactor.execute(ExitInHooks::exit);
                start(reactor::run);
                return reactor;
            }
        },
        /** The hook of the end of a registration, in a thread that closes a reactor which no thread runs. */
        CLOSED_REACTOR {
            @Override
            AutoCloseable begin() throws IOException {
                Reactor reactor = Reactor.open();
                Connection connection = Connection.unix();
                reactor.register(connection.near().handle(), Interest.READ, new OneHandleHandler() {
                    @Override
                    public Handle handle() {
                        return connection.near().handle();
                    }

                    @Override
                    public void handleClose(Registration registration) {
                        exit();
                    }
                });
                start(reactor::close);
                return reactor;
            }
        },
        PROACTOR {
            @Override
            AutoCloseable begin() throws IOException {
                Proactor proactor = Proactor.open();
                proactor.execute(ExitInHooks::exit);
                start(proactor::run);
                return proactor;
            }
        },
        GROUP {
            @Override
            AutoCloseable begin() throws IOException {
                ProactorGroup group = Proactors.group("auto", 2);
                group.next().execute(ExitInHooks::exit);
                return group;
            }
        },
        POOL_WITH_LEADER {
            @Override
            AutoCloseable begin() throws IOException {
                return pool(false);
            }
        },
        CONCURRENT_POOL {
            @Override
            AutoCloseable begin() throws IOException {
                return pool(true);
            }
        },
        STOP_OF_STAGE {
            @Override
            AutoCloseable begin() {
                StageGraph graph = new StageGraph(name());
                graph.add("stage", Integer.class, new StageHandler<>() {
                    @Override
                    public void handleEvents(EventBatch<Integer> batch) {
                        // There are none.
                    }

                    @Override
                    public void handleStop() {
                        exit();
                    }
                });
                graph.start();
                start(graph::close);
                return graph;
            }
        },
        CONTROLLER {
            @Override
            AutoCloseable begin() {
                StageGraph graph = new StageGraph(name());
                graph.add("stage", Integer.class, batch -> { }, new StageOptions<Integer>().control(
                        new StageController() {
                            @Override
                            public Decision decide(StageSample sample) {
                                exit();
                                return null;
                            }
                        }));
                graph.start();
                return graph;
            }
        },
        /** Is waited for until the deadline. */
        STAGE {
            @Override
            AutoCloseable begin() {
                StageGraph graph = new StageGraph(name());
                var stage = graph.add("stage", Integer.class, batch -> exit());
                graph.start();
                stage.queue().enqueue(1);
                return () -> graph.stop(Duration.ZERO);
            }
        };

        abstract AutoCloseable begin() throws IOException;

        final void start(OtherThread.Action action) {
            new Thread(() -> {
                try {
                    action.run();
                } catch (Exception e) {
                    say(this + " " + e);
                }
            }, "thread of " + this).start();
        }

        final LeaderFollowersPool pool(boolean concurrent) throws IOException {
            LeaderFollowersPool pool = LeaderFollowersPool.open(CONCURRENT, PromotionOrder.IMPLEMENTATION_DEFINED,
                    concurrent);
            pool.execute(ExitInHooks::exit);
            start(pool::join);
            start(pool::join);
            return pool;
        }
    }

    private static final String CONCURRENT = "epoll-one-shot";
    private static final CountDownLatch INSIDE = new CountDownLatch(Kind.values().length);

    private ExitInHooks() {
    }

    /** Begins everything, and exits in the hooks. */
    public static void main(String[] arguments) throws Exception {
        List<AutoCloseable> begun = new ArrayList<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            for (int i = 0; i < begun.size(); i++) {
                say(Kind.values()[i] + ": " + close(begun.get(i)));
            }
            say("timeout: " + close(() -> ShutdownWait.requireReturn("something", new Thread(),
                    System.nanoTime() - TimeUnit.SECONDS.toNanos(ShutdownWait.TIMEOUT_SECONDS + 1))));
        }));
        for (Kind kind : Kind.values()) {
            begun.add(kind.begin());
        }
    }

    /** As a hook does: all of them together, so that none is late. */
    private static void exit() {
        INSIDE.countDown();
        try {
            INSIDE.await();
        } catch (InterruptedException e) {
            say(e.toString());
        }
        System.exit(0);
    }

    /** Twice, since a close can be repeated. */
    private static String close(AutoCloseable closeable) {
        String first = outcome(closeable);
        String second = outcome(closeable);
        return first.equals(second) ? first : first + ", then " + second;
    }

    private static String outcome(AutoCloseable closeable) {
        try {
            closeable.close();
            return "closed";
        } catch (IllegalStateException e) {
            return e.getMessage().contains("Runtime.exit") ? "has called exit"
                    : e.getMessage().contains("seconds") ? "has not left" : e.getMessage();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static void say(String what) {
        System.out.println(SmallJvm.MARK + what);
    }
}
