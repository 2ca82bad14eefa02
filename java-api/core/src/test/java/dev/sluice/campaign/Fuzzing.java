package dev.sluice.campaign;

import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Runs a {@link FuzzTarget} with its corpus, then with inputs derived from it: by {@link Mutation} in the short form,
 * by Jazzer in the long one, which is guided by coverage.
 */
public final class Fuzzing {

    private static final int INPUTS_IN_SHORT = Depth.times(500, 3_000, 10_000);
    private static final int INPUTS_IN_LONG = 10_000_000;

    private final FuzzTarget target;
    private final Campaign campaign;

    private Fuzzing(Class<? extends FuzzTarget> type) throws ReflectiveOperationException {
        this.target = target(type);
        this.campaign = Campaign.begin("fuzzing " + type.getSimpleName());
    }

    static FuzzTarget target(Class<? extends FuzzTarget> type) throws ReflectiveOperationException {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    /**
     * Runs the campaign.
     *
     * @param type the target
     * @throws Exception      if the target cannot be run
     * @throws AssertionError if the check fails, with the smallest failing input that was found
     */
    public static void run(Class<? extends FuzzTarget> type) throws Exception {
        Fuzzing fuzzing = new Fuzzing(type);
        URI corpus = corpus(type);
        List<byte[]> seeds = fuzzing.tryCorpus(corpus);
        if (Campaign.isLong()) {
            JazzerProcess.run(type, Path.of(corpus), INPUTS_IN_LONG, fuzzing.campaign);
        } else {
            fuzzing.tryMutations(seeds);
        }
    }

    private static URI corpus(Class<?> type) throws URISyntaxException {
        String name = "corpus/" + type.getSimpleName();
        URL directory = type.getResource(name);
        if (directory == null) {
            throw new AssertionError(type.getName() + " has no " + name);
        }
        return directory.toURI();
    }

    private List<byte[]> tryCorpus(URI corpus) throws IOException {
        if (!corpus.getScheme().equals("jar")) {
            return tryCorpus(Path.of(corpus));
        }
        try (FileSystem jar = FileSystems.newFileSystem(corpus, Map.of())) {
            return tryCorpus(jar.provider().getPath(corpus));
        }
    }

    private List<byte[]> tryCorpus(Path corpus) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> files = Files.list(corpus)) {
            for (Path file : files.sorted().toList()) {
                byte[] seed = Files.readAllBytes(file);
                tryInput(seed, "file " + file.getFileName() + " of the corpus");
                seeds.add(seed);
            }
        }
        return seeds;
    }

    private void tryMutations(List<byte[]> seeds) {
        Mutation mutation = new Mutation(seeds);
        for (int i = 0; i < INPUTS_IN_SHORT; i++) {
            Random random = campaign.random(i);
            tryInput(mutation.next(random), "input " + i);
        }
    }

    private void tryInput(byte[] input, String which) {
        if (failure(input) != null) {
            byte[] smallest = shrunk(input);
            Throwable failure = failure(smallest);
            throw new AssertionError(campaign + ", " + which + ": " + failure + "\nSmallest input, for the corpus: "
                    + HexFormat.of().formatHex(smallest), failure);
        }
    }

    private Throwable failure(byte[] input) {
        try {
            target.check(input.clone());
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** Removes ever shorter parts as long as the rest still fails, with any failure. */
    private byte[] shrunk(byte[] input) {
        byte[] smallest = input;
        for (int part = Math.max(1, input.length / 2); part > 0; part /= 2) {
            for (int from = 0; from + part <= smallest.length;) {
                byte[] shorter = without(smallest, from, from + part);
                if (failure(shorter) != null) {
                    smallest = shorter;
                } else {
                    from += part;
                }
            }
        }
        return smallest;
    }

    private static byte[] without(byte[] octets, int from, int to) {
        byte[] rest = Arrays.copyOf(octets, octets.length - (to - from));
        System.arraycopy(octets, to, rest, from, octets.length - to);
        return rest;
    }
}
