package dev.sluice.campaign;

import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.testing.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Plays random scripts, and shrinks the first that fails. A script must leave no descriptor and no memory behind, and
 * must stay valid if any step is removed.
 *
 * @param <S> one step
 */
public final class RandomScripts<S> {

    /** Maximum number of attempts to reproduce a failure while shrinking. */
    private static final int ATTEMPTS = 3;
    /** Limits the shrinking, because a script that hangs takes long to fail. */
    private static final Duration SHRINKING = Duration.ofMinutes(2);
    /** The JVM opens and closes descriptors of its own. */
    private static final Duration A_PASSING_ONE = Duration.ofSeconds(20);

    /**
     * Plays one script.
     *
     * @param <S> one step
     */
    @FunctionalInterface
    public interface Player<S> {

        /**
         * Plays a script from the beginning to the end, and closes what it has opened.
         *
         * @param script the steps
         * @throws Exception or an error, if a check fails
         */
        void play(List<S> script) throws Exception;
    }

    private final Player<S> player;

    private RandomScripts(Player<S> player) {
        this.player = player;
    }

    /**
     * Plays scripts.
     *
     * @param <S>      one step
     * @param campaign the campaign, which provides the random generators
     * @param runs     the number of scripts
     * @param scripts  creates a script
     * @param player   plays a script
     * @throws IOException    if the open descriptors cannot be listed
     * @throws AssertionError if a script fails, with the shortest failing script that was found
     */
    public static <S> void play(Campaign campaign, int runs, Function<Random, List<S>> scripts, Player<S> player)
            throws IOException {
        RandomScripts<S> played = new RandomScripts<>(player);
        for (int run = 0; run < runs; run++) {
            List<S> script = scripts.apply(campaign.random(run));
            Throwable failure = played.failure(script);
            if (failure != null) {
                List<S> shortest = played.shortest(script);
                Throwable last = played.failure(shortest);
                throw new AssertionError(campaign + ", run " + run + ": " + failure + "\nThe shortest script, of "
                        + script.size() + " steps:\n"
                        + shortest.stream().map(Object::toString).collect(Collectors.joining("\n")),
                        last == null ? failure : last);
            }
        }
    }

    private Throwable failure(List<S> script) throws IOException {
        OpenDescriptors before = OpenDescriptors.now();
        long bytes = MemoryInUse.bytes();
        try {
            player.play(script);
        } catch (Throwable e) {
            return e;
        }
        if (MemoryInUse.bytes() != bytes) {
            return new AssertionError("bytes of native memory that leaked: " + (MemoryInUse.bytes() - bytes));
        }
        String leaked = OpenDescriptors.now().without(before);
        long end = System.nanoTime() + A_PASSING_ONE.toNanos();
        Pause pause = new Pause();
        while (!leaked.isEmpty() && System.nanoTime() - end < 0) {
            pause.next();
            leaked = OpenDescriptors.now().without(before);
        }
        return leaked.isEmpty() ? null : new AssertionError("descriptors that leaked: " + leaked);
    }

    /** Removes ever fewer steps at once as long as the rest still fails. */
    private List<S> shortest(List<S> script) throws IOException {
        List<S> shortest = script;
        long end = System.nanoTime() + SHRINKING.toNanos();
        for (int part = Math.max(1, script.size() / 2); part > 0; part /= 2) {
            for (int from = 0; from + part <= shortest.size() && System.nanoTime() - end < 0;) {
                List<S> shorter = new ArrayList<>(shortest.subList(0, from));
                shorter.addAll(shortest.subList(from + part, shortest.size()));
                if (fails(shorter)) {
                    shortest = shorter;
                } else {
                    from += part;
                }
            }
        }
        return shortest;
    }

    private boolean fails(List<S> script) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (failure(script) != null) {
                return true;
            }
        }
        return false;
    }
}
