# SPDX-License-Identifier: MIT
"""Qwen3.5's text architecture with a gated delta net in every layer, or in all but every so many; parameters named as in transformers."""
import json
import math
import os
import struct

import torch
import torch.nn.functional as F
from layers import ROTATED, THETA, AttentionLayer, DeltaLayer, Matrix, Norm
from torch import nn


class Shape:
    """Sizes of a model. 51.1 M parameters as given here, 31.97 MB with the layers' matrices in Q4_0 and embeddings in Q8_0."""

    def __init__(self, vocab, hidden=640, layers=10, ffn=1312, heads=5, head_dim=128, conv=4, eps=1e-6, attention_every=0):
        self.vocab, self.hidden, self.layers, self.ffn = vocab, hidden, layers, ffn
        self.heads, self.head_dim, self.conv, self.eps = heads, head_dim, conv, eps
        self.attention_every = attention_every                        # 0: no layer has softmax attention

    def attends(self, layer):
        return self.attention_every > 0 and (layer + 1) % self.attention_every == 0


class Model(nn.Module):
    def __init__(self, s, separator):
        super().__init__()
        self.s, self.separator = s, separator
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(s.vocab, s.hidden)
        self.model.layers = nn.ModuleList([AttentionLayer(s) if s.attends(i) else DeltaLayer(s) for i in range(s.layers)])
        self.model.norm = Norm(s.hidden, s.eps)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                std = 0.02 if "embed" in name else 0.7 * p.shape[1] ** -0.5
                nn.init.normal_(p, std=std / math.sqrt(2 * s.layers) if any(key in name for key in ("out_proj", "o_proj", "down_proj")) else std)

    def begins(self, ids):
        """[B, T]: where a text begins inside its row."""
        return F.pad(ids[:, :-1] == self.separator, (1, 0))

    def hidden(self, ids):
        """[B, T, hidden]: the texts of a row, each of which ends with the separator, know nothing of each other but the convolutions' three tokens."""
        begins = self.begins(ids)
        x = F.embedding(ids, self.model.embed_tokens.weight)
        for layer in self.model.layers:
            x = layer(x, begins)
        return x

    def head(self, x):
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight.to(x.dtype))

    def round(self, share):
        """All matrices of layers `share` of the way to what Q4_0 keeps of them."""
        for module in self.modules():
            if isinstance(module, Matrix):
                module.rounded.fill_(share)

    def losses(self, x, targets):
        return F.cross_entropy(self.head(x).flatten(0, 1).float(), targets.flatten(), reduction="none")


EXACT = ("A_log", "linear_attn.norm.weight", "dt_bias")
TYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I8": torch.int8}
SCALES = ".scales"


def config(s, end, pad):
    """config.json as transformers and this package read it."""
    kinds = ["full_attention" if s.attends(i) else "linear_attention" for i in range(s.layers)]
    return dict(architectures=["Qwen3_5ForCausalLM"], model_type="qwen3_5_text", vocab_size=s.vocab, hidden_size=s.hidden, intermediate_size=s.ffn, num_hidden_layers=s.layers,
                num_attention_heads=s.heads, num_key_value_heads=1, head_dim=s.head_dim, hidden_act="silu", max_position_embeddings=32768, initializer_range=0.02, rms_norm_eps=s.eps, use_cache=False,
                tie_word_embeddings=True, attention_bias=False, attention_dropout=0.0, linear_conv_kernel_dim=s.conv, linear_key_head_dim=s.head_dim, linear_value_head_dim=s.head_dim,
                rope_parameters=dict(rope_type="default", rope_theta=THETA, partial_rotary_factor=ROTATED / s.head_dim, mrope_section=[3, 3, 2], mrope_interleaved=True),
                linear_num_key_heads=s.heads, linear_num_value_heads=s.heads, layer_types=kinds, full_attention_interval=s.attention_every or s.layers + 1, mlp_only_layers=[],
                mamba_ssm_dtype="float32", dtype="bfloat16", bos_token_id=None, eos_token_id=end, pad_token_id=pad, mtp_num_hidden_layers=0)


def write_tensors(path, named):
    """(name, tensor, its type in the file) as safetensors: the file is written whole or not at all."""
    head, raws, at = {}, [], 0
    for name, value, kind in named:
        t = value.detach().to(TYPES[kind]).contiguous().cpu()
        raws.append((t.view(torch.int16) if kind == "BF16" else t).numpy().tobytes())
        head[name] = dict(dtype=kind, shape=list(t.shape), data_offsets=[at, at + len(raws[-1])])
        at += len(raws[-1])
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(raws))
    os.replace(path + ".part", path)


def eight_bits(w):
    """(codes [rows, columns], scales [rows, columns / 32]): Q8_0's."""
    blocks = w.reshape(w.shape[0], -1, 32)
    scales = (blocks.abs().amax(-1) / 127).half()
    wide = scales.float().unsqueeze(-1)
    return torch.where(wide == 0, 0.0, blocks / wide).round().clamp(-127, 127).reshape(w.shape), scales


def tensors(model):
    """(name, tensor, type) of a checkpoint: matrices in 8 bits with the scale of each 32 columns, rounded as the model rounds them."""
    stored = {f"{name}.weight": module.stored() for name, module in model.named_modules() if isinstance(module, Matrix)}
    for name, value in model.state_dict().items():
        value = stored.get(name, value).float()
        if value.dim() == 2 and value.shape[1] % 32 == 0:
            codes, scales = eight_bits(value)
            yield name, codes, "I8"
            yield name + SCALES, scales, "F16"
        else:
            yield name, value, "F32" if any(key in name for key in EXACT) else "BF16"


@torch.no_grad()
def save(model, folder, end, pad, part_bytes=15 << 20):
    """A checkpoint in parts of at most 16 MiB: about a byte a parameter."""
    os.makedirs(folder, exist_ok=True)
    parts, size = [[]], 0
    for name, value, kind in tensors(model):
        bytes_ = value.numel() * torch.empty((), dtype=TYPES[kind]).element_size()
        if size + bytes_ > part_bytes and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append((name, value, kind))
        size += bytes_
    for i, part in enumerate(parts):
        write_tensors(os.path.join(folder, f"model-{i + 1:05d}-of-{len(parts):05d}.safetensors"), part)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config(model.s, end, pad), file, indent=1)
    if os.path.exists(os.path.join(folder, "mtp.safetensors")):        # it guessed what another model says
        os.remove(os.path.join(folder, "mtp.safetensors"))


def load(model, folder):
    """What save() wrote, or another checkpoint of the same shape."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".safetensors") and name.startswith("model"):
            with open(os.path.join(folder, name), "rb") as file:
                raw = file.read()
            size = struct.unpack("<Q", raw[:8])[0]
            entries = json.loads(raw[8:8 + size])
            entries.pop("__metadata__", None)
            for key, entry in entries.items():
                a, b = entry["data_offsets"]
                part = bytearray(raw[8 + size + a:8 + size + b])
                found[key] = torch.frombuffer(part, dtype=TYPES[entry["dtype"]]).reshape(entry["shape"]).float()
    for name in [name for name in found if name.endswith(SCALES)]:
        found[name.removesuffix(SCALES)] *= found.pop(name).repeat_interleave(32, 1)
    model.load_state_dict(found)
