"""Finding, installing and removing networks."""

import pytest
from surajang.engine.definition import catalogue
from surajang.engine.variant import Variant
from surajang.eval.network.file import NetworkError, load_network, random_network, save_network
from surajang.eval.network.installing import default_network_path, install, take_back
from surajang.protocol.session.user_games import register_file

pytestmark = pytest.mark.pure


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    """The user's data folder."""
    monkeypatch.setenv("SURAJANG_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def networks(tmp_path):
    """Two networks of crazyhouse, as files."""
    paths = [tmp_path / f"{seed}.network" for seed in (1, 2)]
    for seed, path in enumerate(paths):
        save_network(path, random_network(Variant("crazyhouse"), 16, seed=seed))
    return paths


def own_game(folder):
    path = folder / "mine.toml"
    path.write_text('extends = "crazyhouse"\nname = "mine"\ntitle = "Mine"\n')
    return path


def test_default_network_is_beside_the_game_s_file(tmp_path):
    assert default_network_path(Variant(own_game(tmp_path))) == tmp_path / "mine.network"
    assert default_network_path(Variant("crazyhouse")) == catalogue.FOLDER / "crazyhouse.network"


def test_game_that_shares_a_network_plays_with_that_of_its_parent(data_folder, tmp_path):
    """Until it has one of its own; its children do not share it unless their files say so as well."""
    shared = Variant("embassy")
    path = default_network_path(shared)
    assert path == default_network_path(Variant("capablanca"))
    assert load_network(path, shared).hidden == load_network(path, "capablanca").hidden
    child = tmp_path / "child.toml"
    child.write_text('extends = "embassy"\nname = "child"\ntitle = "Child"\n')
    assert default_network_path(Variant(child)) == tmp_path / "child.network"
    heir = tmp_path / "heir.toml"
    heir.write_text('extends = "embassy"\nname = "heir"\ntitle = "Heir"\nshares_network = true\n')
    assert default_network_path(Variant(heir)) == path
    assert load_network(path, Variant(heir)).hidden == load_network(path, "capablanca").hidden


def test_game_with_other_pieces_shares_no_network(tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(
        'extends = "capablanca"\nname = "other"\ntitle = "Other"\nshares_network = true\n'
        '[pieces.A]\nname = "archbishop"\nmoves = "BNF"\n'
    )
    assert default_network_path(Variant(other)) == tmp_path / "other.network"
    with pytest.raises(NetworkError, match="a network of 'capablanca', not of "):
        load_network(default_network_path(Variant("capablanca")), Variant(other))


def test_network_of_the_user_comes_before_the_shipped_one_until_it_is_taken_back(data_folder, networks):
    path = install(networks[0], Variant("crazyhouse"))
    assert (
        path == data_folder / "networks" / "crazyhouse.network" == default_network_path(Variant("crazyhouse"))
    )
    assert path.read_bytes() == networks[0].read_bytes()
    install(networks[1], Variant("crazyhouse"))
    assert path.read_bytes() == networks[1].read_bytes()
    assert "from before is back" in take_back(Variant("crazyhouse"))
    assert path.read_bytes() == networks[0].read_bytes()
    assert "comes with the game" in take_back(Variant("crazyhouse"))
    assert default_network_path(Variant("crazyhouse")) == catalogue.FOLDER / "crazyhouse.network"
    with pytest.raises(NetworkError, match=r"crazyhouse\.network: there is no network to take back"):
        take_back(Variant("crazyhouse"))


def test_network_of_an_own_game_lies_beside_its_file(tmp_path):
    game = register_file(own_game(tmp_path))
    save_network(tmp_path / "n.network", random_network(Variant(game), 16, seed=3))
    assert install(tmp_path / "n.network", Variant(game)) == tmp_path / "mine.network"
    assert "no network" in take_back(Variant(game)) and not (tmp_path / "mine.network").exists()


def test_foreign_network_is_not_installed(data_folder, networks, tmp_path):
    with pytest.raises(NetworkError, match="crazyhouse"):
        install(networks[0], Variant("minishogi"))
    networks[0].write_bytes(networks[0].read_bytes()[:-5])
    with pytest.raises(NetworkError):
        install(networks[0], Variant("crazyhouse"))
    assert not data_folder.exists()
